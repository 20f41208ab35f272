/** A module after whose import no package of this scope can be loaded. */
export function refusePackages(scope: string): string {
  const hook = `export const resolve = (name, context, next) => {
    if (name.startsWith('${scope}')) throw new Error('not installed')
    return next(name, context)
  }`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hook))})`
  return moduleOf(register)
}

/** A module of this code for `--import`. Also without blanks and quotes: shells and `NODE_OPTIONS` take them apart. */
export function moduleOf(code: string): string {
  return `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
}
