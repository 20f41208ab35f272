import { builders, generateCode, parseExpression, parseModule, type Proxified, type ProxifiedModule } from 'magicast'
import { getConfigFromVariableDeclaration } from 'magicast/helpers'
import { orNothing } from '../../system/error-facts.ts'

export interface Runner {
  readonly packageName: string
  readonly key: string
  readonly before: readonly string[]
  readonly command: string
}

export const vitest: Runner = {
  packageName: 'vitest-mdtest',
  key: 'plugins',
  before: [],
  command: 'npx vitest run --project mdtest',
}

export const jest: Runner = {
  packageName: 'vitest-mdtest/jest',
  key: 'projects',
  // `projects` replaces the tests of the configuration itself, so add them as the first project.
  before: ["'<rootDir>'"],
  command: 'npx jest --selectProjects mdtest',
}

export function formatList({ key, before }: Runner, call: string): string {
  return `${key}: [${[...before, call].join(', ')}]`
}

export function formatImport(
  { packageName }: Runner,
  { isRequire, quote = "'" }: { readonly isRequire: boolean; readonly quote?: string },
): string {
  const from = `${quote}${packageName}${quote}`
  return isRequire ? `const { mdtest } = require(${from})` : `import { mdtest } from ${from}`
}

export type PluginAddition =
  | { readonly kind: 'added'; readonly text: string }
  | { readonly kind: 'present' }
  /** The file configures one project of a workspace. The plugin must be in the configuration of the root. */
  | { readonly kind: 'part' }
  | { readonly kind: 'unknown' }

/** Adds the plugin if the code looks like most configurations. @param options source of its argument, or '' */
export function addPlugin(code: string, runner: Runner = vitest, options = ''): PluginAddition {
  if (/\bdefineProject\(/.test(code)) return { kind: 'part' }
  const imported = importedName(code, runner)
  if (imported !== undefined && code.includes(`${imported}(`)) return { kind: 'present' }
  // Something else in the code has the name `mdtest`.
  if (imported === undefined && /(?<![-\w'"/])mdtest\b/.test(code)) return { kind: 'unknown' }
  // `added` throws if the code is not a module or cannot be changed by magicast.
  const text = orNothing(() => added(code, { runner, imported, options }))
  return text === undefined ? { kind: 'unknown' } : { kind: 'added', text }
}

function importedName(code: string, { packageName }: Runner): string | undefined {
  const found = new RegExp(
    String.raw`\bmdtest(?:\s*(?:as|:)\s*(\w+))?[^}]*\}\s*(?:from|=\s*require\()\s*['"]${packageName}['"]`,
  ).exec(code)
  return found ? (found[1] ?? 'mdtest') : undefined
}

const assigned = /^module\.exports\s*=\s*/m

interface Addition {
  readonly runner: Runner
  readonly imported: string | undefined
  readonly options: string
}

function added(code: string, { runner, imported, options }: Addition): string | undefined {
  const isRequire = !/^(?:import|export)\b/m.test(code) && assigned.test(code)
  const hasTabs = /^\t/m.test(code)
  // magicast expects an ES module that is indented with blanks.
  const known = hasTabs ? code.replaceAll(/^\t+/gm, (tabs) => '  '.repeat(tabs.length)) : code
  const file = parseModule(isRequire ? known.replace(assigned, 'export default ') : known)
  const commented = linesOfComments(file)
  const call = `${imported ?? 'mdtest'}()`
  if (!addToExported(file, runner, call)) return undefined
  let made = `${generateCode(file).code.trimEnd()}\n`.replace(call, () => `${call.slice(0, -1)}${options})`)
  if (isRequire) made = made.replace(/^export default /m, () => 'module.exports = ')
  if (hasTabs) made = made.replaceAll(/^(?: {2})+/gm, (blanks) => '\t'.repeat(blanks.length / 2))
  const hasSemicolons = /;\r?$/m.test(code)
  if (!hasSemicolons) made = made.replaceAll(/;$/gm, '')
  // magicast misplaces comments in code that it rewrites, so give up if the line of a comment has changed.
  const lines = new Set(made.split('\n'))
  if (code.split(/\r?\n/).some((line, index) => commented.has(index + 1) && !lines.has(line))) return undefined
  if (imported === undefined) {
    // Type references and 'use strict' must stay at the top.
    const top = /^(?:(?:#!|\/\/\/|\/\/ @ts-|(['"])use strict\1).*(?:\n|$))*/.exec(made)?.[0] ?? ''
    const quote = /(?:from |require\()"/.test(code) ? '"' : "'"
    const line = `${formatImport(runner, { isRequire, quote })}${hasSemicolons ? ';' : ''}\n`
    const rest = made.slice(top.length)
    made = `${top}${line}${/^(?:import|const .* = require)\b/.test(rest) ? '' : '\n'}${rest}`
  }
  return made.replaceAll('\n', code.includes('\r\n') ? '\r\n' : '\n')
}

function linesOfComments({ $ast }: ProxifiedModule): ReadonlySet<number> {
  const lines = new Set<number>()
  JSON.stringify($ast, (key, value: unknown) => {
    for (const { loc } of key === 'comments' && Array.isArray(value) ? (value as readonly CommentNode[]) : [])
      // recast adds `comments` to the tree.
      for (let { line } = loc.start; line <= loc.end.line; line += 1) lines.add(line)
    // Skip these keys, because they contain the whole file again.
    return ['comments', 'original', 'loc'].includes(key) ? undefined : value
  })
  return lines
}

type CommentNode = Readonly<Record<'loc', Readonly<Record<'start' | 'end', { readonly line: number }>>>>

function addToExported(file: ProxifiedModule, runner: Runner, call: string): boolean {
  const exported = file.exports.default
  if (exported?.$type !== 'identifier') return addToList(objectIn(exported), runner, call)
  const { declaration } = getConfigFromVariableDeclaration(file)
  const { init } = declaration
  // Give up if there are type annotations, because magicast would drop them.
  if (!init || init.type.startsWith('TS')) return false
  const value: Proxified = parseExpression(generateCode(init).code)
  if (!addToList(objectIn(value), runner, call)) return false
  declaration.init = value.$ast as typeof init // parsed as an expression
  return true
}

const wrappers: Readonly<Partial<Record<string, number>>> = { defineConfig: 0, mergeConfig: 1 }

function objectIn(value: Proxified | undefined): Proxified | undefined {
  switch (value?.$type) {
    case 'object':
      return value
    case 'arrow-function-expression':
      return objectIn(value.$body)
    case 'function-call': {
      const index = wrappers[value.$callee]
      return index === undefined ? undefined : objectIn(value.$args[index])
    }
    default:
      return undefined
  }
}

function addToList(config: Proxified | undefined, { key, before }: Runner, call: string): boolean {
  if (config === undefined) return false
  const list = config[key]
  const { properties } = config.$ast
  if (list === undefined) {
    // Give up if there is a spread (`...base`): the new list would replace a list in the spread object.
    if (properties.some(({ type }: { readonly type: string }) => type === 'SpreadElement')) return false
    config[key] = builders.raw(`[${[...before, call].join(', ')}]`)
    return true
  }
  if (list.$type !== 'array') return false
  list.push(builders.raw(call))
  return true
}
