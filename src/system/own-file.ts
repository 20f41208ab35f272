import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/**
 * Absolute path of a file of this package. By its name in package.json: always the built one, wherever the caller was
 * bundled to.
 */
export function ownFile(name: `#${string}` | `vitest-mdtest/${string}`): string {
  return resolve(name)
}
