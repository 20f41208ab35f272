import { createRequire } from 'node:module'

/** The version of this package. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('vitest-mdtest/package.json')
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
