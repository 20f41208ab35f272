import { createRequire } from 'node:module'

/** How somebody who reads a message calls us from a project that has the package. */
export const ownCommand = 'npx vitest-mdtest'

/** A part of a text keeps all of it in memory, as engines make it. This one does not. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

const { resolve } = createRequire(import.meta.url)

/**
 * Absolute path of a file of this package. By its name in package.json: always the built one, wherever the caller was
 * bundled to.
 */
export function ownFile(name: `#${string}` | `vitest-mdtest/${string}`): string {
  return resolve(name)
}

/** The version of this package. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('vitest-mdtest/package.json')
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
