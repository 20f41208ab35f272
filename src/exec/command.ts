import type { MdtestError } from '../shared/mdtest-error.ts'

/** A program to start: no shell, no string splitting. */
export interface Command {
  readonly argv: readonly [string, ...string[]]
  /** Absolute path. */
  readonly cwd: string
  /** The whole environment; nothing is inherited besides. */
  readonly env: Readonly<Record<string, string>>
}

/** How a command ended. Never thrown. */
export type CommandEnd =
  | { readonly reason: 'exit'; readonly exitCode: number }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly reason: 'hard-timeout' | 'silence-timeout'; readonly limitMs: number }
  | { readonly reason: 'canceled' }
  | { readonly reason: 'spawn-failed'; readonly error: MdtestError }
