import { createRequire } from 'node:module'

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

export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('vitest-mdtest/package.json')
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}

let isRefused = false

/**
 * From here on SIGUSR1 does nothing to this process. Without it Node.js opens a debugger port, and whoever connects, an
 * agent for example, does with our process what it likes. One that was started with `--inspect` has its port all the
 * same. For good: without a listener the signal would end the process.
 */
export function refuseDebugger(): void {
  if (isRefused) return
  isRefused = true
  process.on('SIGUSR1', () => undefined)
}

/** For a Node.js process of ours: the same from its first moment, where this version of Node.js can do that. */
export function flagsWithoutDebugger(): readonly string[] {
  return process.allowedNodeEnvironmentFlags.has(withoutSignal) ? [withoutSignal] : []
}

const withoutSignal = '--disable-sigusr1'

/** Whether a service runs this: they set `CI` to `true` or `1`; some shells carry `false`. */
export function isCi({ CI = '' }: NodeJS.ProcessEnv): boolean {
  return !['', '0', 'false'].includes(CI.toLowerCase())
}
