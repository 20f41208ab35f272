import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What of a package.json matters here. */
export interface Manifest {
  /** Its `.js` and `.ts` files are ES modules. */
  readonly isModule: boolean
  /** It names vitest-mdtest as a dependency. */
  readonly hasPackage: boolean
}

/** Reads `package.json` in a directory; one that is missing or no JSON says nothing. */
export async function readManifest(dir: string): Promise<Manifest> {
  const manifest = parse(await readFile(join(dir, 'package.json'), 'utf8').catch(() => ''))
  const dependencies = ['dependencies', 'devDependencies'].map((name) => memberOf(manifest, name))
  return {
    isModule: memberOf(manifest, 'type') === 'module',
    hasPackage: dependencies.some((each) => memberOf(each, 'vitest-mdtest') !== undefined),
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
