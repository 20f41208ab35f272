import type { Readable, Writable } from 'node:stream'

export interface CliContext {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Aborted by SIGINT or SIGTERM; the reason is the signal's name. */
  readonly signal: AbortSignal
}

/** An error before anything has run. `main` prints its message to standard error. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError'
}

/** Exit codes of `run` and `gate`: 1 if anything failed or was blocked, 2 if nothing could run. */
const judged = { passed: 0, failed: 1, 'set-up-error': 2 } as const

export const exitCodes = {
  run: judged,
  gate: judged,
  /** An invalid spec counts as a problem, because a run would report it as failed. */
  list: { done: 0, problems: 1 },
  coverage: { done: 0, 'too-low': 1, problems: 1 },
  fix: { success: 0, incomplete: 1, stalled: 2, error: 3 },
  demo: { 'as-told': 0, otherwise: 1 },
  none: { done: 0, 'set-up-error': 2 },
} as const

/** The exit code of an interrupted command: 128 plus the signal's number, as in shells. */
export function interruptedBy({ reason }: AbortSignal): number {
  return reason === 'SIGTERM' ? 143 : 130
}
