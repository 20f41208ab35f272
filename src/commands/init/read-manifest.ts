import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What of a package.json matters here. */
export interface Manifest {
  /** There is one. */
  readonly isThere: boolean
  /** It names Vitest as a dependency. */
  readonly hasVitest: boolean
  /** It names Jest as a dependency, or holds its configuration. */
  readonly hasJest: boolean
  /** It holds Jest's configuration. */
  readonly isJestConfig: boolean
  /** Its `.js` and `.ts` files are ES modules. */
  readonly isModule: boolean
  /** It names vitest-mdtest as a dependency. */
  readonly hasPackage: boolean
}

/** Reads `package.json` in a directory; one that is missing or no JSON says nothing. */
export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, 'package.json'), 'utf8').catch(() => undefined)
  const manifest = parse(text ?? '')
  const dependencies = ['dependencies', 'devDependencies'].map((name) => memberOf(manifest, name))
  const has = (name: string): boolean => dependencies.some((each) => memberOf(each, name) !== undefined)
  const isJestConfig = memberOf(manifest, 'jest') !== undefined
  return {
    isThere: text !== undefined,
    hasVitest: has('vitest'),
    hasJest: has('jest') || isJestConfig,
    isJestConfig,
    isModule: memberOf(manifest, 'type') === 'module',
    hasPackage: has('vitest-mdtest'),
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // npm tells its user.
    return undefined
  }
}
