import { spawn } from '@lydell/node-pty'
import { happensWithin } from './leftovers.ts'

/** A terminal with somebody in front of it. */
export interface UserTerminal {
  readonly pid: number
  /** All bytes that were printed so far, as Latin-1. */
  readonly output: string
  /** Waits until the output holds this text or matches, behind what was there at `from`. */
  shows(text: string | RegExp, limitMs?: number): Promise<void>
  type(keys: string | Uint8Array): void
  resize(cols: number, rows: number): void
  /** Exit code of the shell; waits for it. */
  readonly ended: Promise<number>
}

/** Runs a line of `sh` in a terminal of its own. */
export function openUserTerminal(
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): UserTerminal {
  // What is not read 200 ms after the end is lost.
  const script = `${line}\ncode=$?; sleep 0.3; exit $code`
  const pty = spawn('/bin/sh', ['-c', script], {
    cwd,
    env,
    cols: 100,
    rows: 30,
    encoding: null,
    name: 'xterm-256color',
  })
  let output = ''
  pty.onData((data: unknown) => (output += (data as Buffer).toString('latin1'))) // by `encoding: null`
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)))
  return {
    pid: pty.pid,
    get output() {
      return output
    },
    async shows(text, limitMs = 200_000) {
      const isShown = (): boolean => (typeof text === 'string' ? output.includes(text) : text.test(output))
      if (!(await happensWithin(limitMs, isShown))) throw new Error(`${String(text)} was not shown:\n${output}`)
    },
    type: (keys) => pty.write(keys as string), // it takes bytes, too
    resize: (cols, rows) => pty.resize(cols, rows),
    ended,
  }
}
