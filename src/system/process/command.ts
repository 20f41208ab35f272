import type { MdtestError } from '../mdtest-error.ts'
import type { Program } from './launcher/launch-protocol.ts'

/** A program to start with its standard output and error read. */
export interface Command extends Omit<Program, 'argv0'> {
  /** What it reads on its standard input, which then ends. Default: nothing */
  readonly input?: string
}

/** How a command ended. Never thrown. */
export type CommandEnd =
  | { readonly reason: 'exit'; readonly exitCode: number }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly reason: 'hard-timeout' | 'silence-timeout'; readonly limitMs: number }
  | { readonly reason: 'canceled' }
  /** `lost`: it ran, and nobody can tell how it ended. */
  | { readonly reason: 'spawn-failed' | 'lost'; readonly error: MdtestError }
