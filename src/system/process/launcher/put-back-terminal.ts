import { spawn } from 'node:child_process'

/** A terminal that a program has, and how to put it back for somebody else who is left to do it. */
export interface TerminalState {
  /** Settings of the line as it was before, as `stty -g` prints them. */
  readonly saved: string
  /** What to write to undo what the program has set. */
  readonly undo: string
}

/** Where the process that puts it back has the terminal. */
const terminalDescriptor = 3

/** A terminal that was stopped by Ctrl-S takes nothing, in milliseconds. */
const limitMs = 2_000

/** Where keys make signals it belongs to somebody already: a shell at its next prompt. */
const script = `printf %s "$2"; case "$(stty -a)" in *-isig*) exec stty "$1";; esac`

/** Puts back the terminal at `terminalDescriptor`, whose user was killed. Never rejects. */
export function putBackTerminal({ saved, undo }: TerminalState): Promise<void> {
  const child = spawn('sh', ['-c', script, 'sh', saved, undo], {
    stdio: [terminalDescriptor, terminalDescriptor, 'ignore'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve) => child.once('error', () => resolve()).once('exit', () => resolve()))
}
