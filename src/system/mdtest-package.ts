import { createRequire } from 'node:module'

export const ownCommand = 'npx vitest-mdtest'

/** Copies a part of a longer text. Without the copy, V8 would keep the longer text in memory. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

const load = createRequire(import.meta.url)

/** Absolute path of a built file, found by its name in package.json. A relative path would break after bundling. */
export function ownFile(name: `#${string}` | `vitest-mdtest/${string}`): string {
  return load.resolve(name)
}

export function version(): string {
  return String(load('vitest-mdtest/package.json').version)
}

let isRefused = false

/** Keeps an agent from opening our debugger port with SIGUSR1. If the listener is removed, SIGUSR1 kills us. */
export function refuseDebugger(): void {
  if (isRefused) return
  isRefused = true
  process.on('SIGUSR1', () => undefined)
}

/** Flags that keep SIGUSR1 from opening a child's debugger port; empty if this Node.js version has none. */
export function flagsWithoutDebugger(): readonly string[] {
  return process.allowedNodeEnvironmentFlags.has(withoutSignal) ? [withoutSignal] : []
}

const withoutSignal = '--disable-sigusr1'
