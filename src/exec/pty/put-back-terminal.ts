import { spawn } from 'node:child_process'

/** A terminal that a program has, and how to put it back for somebody else who is left to do it. */
export interface TerminalState {
  /** Settings of the line as `stty -g` prints them: of now, and of before. */
  readonly taken: string
  readonly saved: string
  /** What to write to undo what the program has set. */
  readonly undo: string
}

/** Where the process that puts it back has the terminal. */
const terminalDescriptor = 3

/** A terminal that was stopped by Ctrl-S takes nothing, in milliseconds. */
const limitMs = 2_000

/** With other settings than when it was taken it belongs to somebody already: a shell at its next prompt. */
const script = 'printf %s "$3"; [ "$(stty -g)" != "$1" ] || exec stty "$2"'

/** Puts back the terminal at `terminalDescriptor`, whose user was killed. Never rejects. */
export function putBackTerminal({ taken, saved, undo }: TerminalState): Promise<void> {
  const child = spawn('sh', ['-c', script, 'sh', taken, saved, undo], {
    stdio: [terminalDescriptor, terminalDescriptor, 'ignore'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve) => child.once('error', () => resolve()).once('exit', () => resolve()))
}
