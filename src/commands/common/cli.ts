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

/** An error that occurs before anything has run. Its message is one clear sentence for standard error. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError'
}

/** Exit codes of `mdtest run` and `gate`: 1 if something failed or was blocked, 2 if nothing could run. */
const judged = { passed: 0, failed: 1, 'set-up-error': 2 } as const // literal codes

const exitCodes = {
  run: judged,
  gate: judged,
  /** Invalid specs count as problems, because they would fail in a run. */
  list: { done: 0, problems: 1 },
  coverage: { done: 0, 'too-low': 1, problems: 1 },
  /** 1: a limit was reached; 2: no progress; 3: an error other than failing tests. */
  fix: { success: 0, incomplete: 1, stalled: 2, error: 3 },
  demo: { 'as-told': 0, otherwise: 1 },
  none: { done: 0, 'set-up-error': 2 },
  /** Interrupted commands: 128 plus the signal's number, as in shells. */
  any: { SIGINT: 130, SIGTERM: 143 },
} as const // literal codes

type ExitCodes = typeof exitCodes

export type CommandEnding = {
  readonly [Command in keyof ExitCodes]: { readonly command: Command; readonly end: keyof ExitCodes[Command] }
}[keyof ExitCodes]

export function exitCodeOf({ command, end }: CommandEnding): number {
  const codes: Readonly<Partial<Record<string, number>>> = exitCodes[command]
  const code = codes[end]
  if (code === undefined) throw new TypeError(`The command \`${command}\` does not end as \`${end}\`.`)
  return code
}

export function interruptedBy({ reason }: AbortSignal): CommandEnding {
  return { command: 'any', end: reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT' }
}
