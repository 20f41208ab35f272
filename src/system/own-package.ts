import { createRequire } from 'node:module'

export const ownCommand = 'npx vitest-mdtest'

/** In most engines a part of a text keeps all of it in memory. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

const { resolve } = createRequire(import.meta.url)

/** Absolute path of a built file, by its name in package.json: the caller may be bundled to anywhere. */
export function ownFile(name: `#${string}` | `vitest-mdtest/${string}`): string {
  return resolve(name)
}

export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('vitest-mdtest/package.json')
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}

let isRefused = false

/**
 * SIGUSR1 opens a debugger port of Node.js, by which an agent could do with our process what it likes. For good: without a
 * listener the signal would end the process.
 */
export function refuseDebugger(): void {
  if (isRefused) return
  isRefused = true
  process.on('SIGUSR1', () => undefined)
}

/** For a Node.js process of ours: the same from its first moment, where this version can. */
export function flagsWithoutDebugger(): readonly string[] {
  return process.allowedNodeEnvironmentFlags.has(withoutSignal) ? [withoutSignal] : []
}

const withoutSignal = '--disable-sigusr1'

/** Services set `CI` to `true` or `1`; some shells carry `false`. */
export function isCi({ CI = '' }: NodeJS.ProcessEnv): boolean {
  return !['', '0', 'false'].includes(CI.toLowerCase())
}
