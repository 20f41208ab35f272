import type * as Pty from '@lydell/node-pty'
import { MdtestError } from '../mdtest-error.ts'
import type { EndRace } from '../process/wait-for-end.ts'
import { readStartTime } from '../process/trees/process-table.ts'
import { startTree, type RunningCommand, type TreeOptions } from '../process/run-command.ts'
import type { TakenTerminal, Terminal } from './terminal.ts'
import { closeSync, constants as files, openSync } from 'node:fs'
import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { chooseLimit, setLimit, withMarks } from '../process/trees/marks.ts'
import { type TreeRoot, send } from '../process/trees/kill-trees.ts'
import type { TerminalState } from '../process/launcher/launcher.ts'
import type { Command, CommandEnd } from '../process/command.ts'
import { messageOf } from '../error-facts.ts'

export interface TerminalRunOptions extends Omit<TreeOptions, 'jobsMs'> {
  readonly terminal: Terminal
  readonly adopt: (root: TreeRoot) => void
  readonly guardTerminal: (state: TerminalState | undefined) => void
  readonly onInterrupt: () => void
}

export interface RunningInTerminal extends RunningCommand {
  type(keys: string): void
}

/** O_NOCTTY: the terminal must not become the controlling terminal of this process. */
const readOnly = files.O_RDONLY | files.O_NOCTTY
const tailCharacters = 4096
/** More bytes than `tailCharacters`, because most bytes of an interface are escape sequences. */
const tailBytes = 64 * 1024

/** Keys restart the silence limit. Output does not, because waiting interfaces show a spinner. Never throws. */
export function startInTerminal(command: Command, options: TerminalRunOptions): RunningInTerminal {
  const { terminal, guardTerminal, adopt } = options
  let taken: TakenTerminal | undefined
  let connection: Connection | undefined
  const running = startTree(command, options, async () => {
    const held = terminal.take(guardTerminal)
    taken = held
    const pty = await startInPty(command, held, options)
    const limit = chooseLimit()
    if (limit !== undefined) setLimit(pty.pid, limit)
    const root = { pid: pty.pid, startTime: readStartTime(pty.pid), limit }
    adopt(root)
    return (race) => {
      const opened = connect(pty, held, { root, race, onInterrupt: options.onInterrupt })
      connection = opened
      return { root, close: () => ({ tail: opened.close() }) }
    }
  })
  const ended = running.ended.finally(() => taken?.giveBack())
  ended.catch(() => undefined)
  return { ...running, ended, type: (keys) => connection?.type(keys) }
}

async function startInPty(
  { argv: [file, ...args], cwd, env }: Command,
  { size, name }: TakenTerminal,
  { mark, runMark }: TerminalRunOptions,
): Promise<Pty.IPty> {
  const { spawn } = await loadPty()
  // `encoding: null` gives raw bytes.
  return spawn(file, args, { ...size, name, cwd, env: withMarks(env, [runMark, mark]), encoding: null })
}

interface Connection {
  type(keys: string): void
  /** Returns the last part of all that the program printed. */
  close(): string
}

interface Connected extends Pick<TerminalRunOptions, 'onInterrupt'> {
  readonly root: TreeRoot
  readonly race: EndRace
}

function connect(pty: Pty.IPty, taken: TakenTerminal, { root, race, onInterrupt }: Connected): Connection {
  let tail = ''
  let isOpen = true
  const takeInterrupts = createInterrupts(onInterrupt)
  pty.onData((data: unknown) => {
    const bytes = data as Buffer // because of `encoding: null`
    taken.write(bytes)
    tail = (tail + bytes.toString('latin1')).slice(-tailBytes)
  })
  taken.onInput((bytes) => {
    race.touch()
    type(bytes)
    takeInterrupts(bytes)
  })
  const type = (keys: Uint8Array | string): void => {
    if (isOpen) pty.write(keys as string) // accepts bytes, too, despite its type
  }
  taken.onResize(() => {
    if (isOpen) pty.resize(taken.size.cols, taken.size.rows)
  })
  // Keep the other side open: when it closes, the terminal drops all unread output.
  const otherSide = openSync((pty as Pty.IPty & { readonly ptsName: string }).ptsName, readOnly) // missing in the type
  pty.onExit(({ exitCode, signal }) => {
    isOpen = false
    closeSync(otherSide)
    race.settle(commandEnd(exitCode, signal))
  })
  const stopPassing = passSignals(root)
  return {
    type,
    close() {
      isOpen = false
      stopPassing()
      return screenText(Buffer.from(tail, 'latin1').toString('utf8')).slice(-tailCharacters)
    },
  }
}

/** Pressing Ctrl-C twice within this time ends the run. The agent still gets both key presses. */
const pairMs = 1_000

/** Ctrl-C as a byte, or as an escape sequence if the keyboard protocol of kitty or xterm is on. */
const controlC = /\u0003|\u001b\[99;5(?::1)?u|\u001b\[27;5;99~/g

function createInterrupts(onPair: () => void): (bytes: Uint8Array) => void {
  let lastMs = -Infinity
  let isOver = false
  return (bytes) => {
    for (const _key of Buffer.from(bytes).toString('latin1').matchAll(controlC)) {
      const nowMs = performance.now()
      const isPair = nowMs - lastMs < pairMs
      lastMs = nowMs
      if (!isPair || isOver) continue
      isOver = true
      onPair()
    }
  }
}

/** Passes SIGINT and SIGHUP on to the program. SIGHUP (the terminal is gone) also ends the run. */
function passSignals(root: TreeRoot): () => void {
  const ignore = (): void => undefined
  let isHungUp = false
  const hangUp = (): void => {
    isHungUp = true
    send(-root.pid, ['SIGHUP'])
    process.kill(process.pid, 'SIGTERM')
  }
  const listeners = [
    ['SIGHUP', hangUp],
    // Without a listener, SIGINT would end this process before the terminal is restored.
    ['SIGINT', () => void send(-root.pid, ['SIGINT'])],
    // The end of the run sends SIGTERM to the whole tree, so SIGTERM is not passed on here.
    ['SIGTERM', ignore],
    ['SIGTSTP', ignore],
  ] as const
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
    // After a SIGHUP the run is already ending; a second SIGHUP must not interrupt that.
    if (isHungUp) process.on('SIGHUP', ignore)
  }
}

function commandEnd(exitCode: number, signal: number | undefined): CommandEnd {
  if (signal === undefined || signal === 0) return { reason: 'exit', exitCode }
  const name = Object.entries(constants.signals).find(([, each]) => each === signal)?.[0] ?? 'SIGKILL'
  return { reason: 'signal', signal: name as NodeJS.Signals } // a key of `signals`
}

/** Cursor moves. They count as white space, because interfaces move the cursor instead of printing blanks. */
const moves = /\u001b\[[\d;]*[ABEFHdf]/g
const jumps = /\u001b\[\d*[CG]/g

export function screenText(output: string): string {
  return stripVTControlCharacters(output.replaceAll(moves, '\n').replaceAll(jumps, ' '))
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
}

/** @throws MdtestError `EXEC_PTY_MISSING` */
async function loadPty(): Promise<typeof Pty> {
  try {
    return await import('@lydell/node-pty')
  } catch (error: unknown) {
    const message =
      "The agent's own interface needs the package `@lydell/node-pty`, which is not installed or does not support this system."
    const hint = 'Install with optional dependencies (no `--omit=optional`), or run with `--headless`.'
    throw new MdtestError('EXEC_PTY_MISSING', message, { hint, cause: error })
  }
}

/** Tries to open a pseudoterminal. @throws MdtestError `EXEC_PTY_MISSING`, `EXEC_PTY_FAILED` */
export async function checkPty(): Promise<void> {
  const { spawn } = await loadPty()
  try {
    const pty = spawn('true', [], { cwd: '/', env: { PATH: '/usr/bin:/bin' } })
    await new Promise<void>((resolve) => pty.onExit(() => resolve()))
  } catch (error: unknown) {
    const message = `The system gives no pseudoterminal for the agent's interface (${messageOf(error)}).`
    const hint = 'Run with `--headless`, or make `/dev/ptmx` and `/dev/pts` usable.'
    throw new MdtestError('EXEC_PTY_FAILED', message, { hint, cause: error })
  }
}
