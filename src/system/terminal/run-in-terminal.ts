import type * as Pty from '@lydell/node-pty'
import type { IPty } from '@lydell/node-pty'
import { MdtestError } from '../mdtest-error.ts'
import { startCommandClock, type EndRace, waitForEnd } from '../process/wait-for-end.ts'
import { holdTree, startHeld, type TreeHold } from '../process/trees/hold-tree.ts'
import { readStartTime } from '../process/trees/process-table.ts'
import type { CommandResult, RunningCommand, RunOptions } from '../process/run-command.ts'
import { followJobControl, createInterrupts } from './job-control.ts'
import type { Viewer } from './still-screen.ts'
import type { TakenTerminal, Terminal } from './terminal.ts'
import { closeSync, constants as files, openSync } from 'node:fs'
import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { chooseLimit, setLimit, withMarks } from '../process/trees/marks.ts'
import { type TreeRoot, killTree } from '../process/trees/kill-trees.ts'
import type { TerminalState } from '../process/launcher/launcher.ts'
import { type Command, type CommandEnd, toSpawnError } from '../process/command.ts'
import { messageOf } from '../error-facts.ts'

export interface TerminalRunOptions extends Pick<
  RunOptions,
  'hardTimeoutMs' | 'silenceTimeoutMs' | 'graceMs' | 'mark' | 'runMark' | 'signal' | 'onSpawn'
> {
  readonly terminal: Terminal
  readonly adopt: (root: TreeRoot) => void
  readonly guardTerminal: (state: TerminalState | undefined) => void
  readonly onInterrupt: () => void
  readonly viewer?: Viewer | undefined
}

export interface RunningInTerminal extends RunningCommand {
  type(keys: string): void
}

const leftoverGraceMs = 500
/** O_NOCTTY: the terminal must not become the controlling terminal of this process. */
const readOnly = files.O_RDONLY | files.O_NOCTTY
const tailCharacters = 4096
/** More bytes than characters, because interfaces write mostly escape sequences. */
const tailBytes = 64 * 1024
/** Pause between two changes of size: without it a program only notices the second. */
const redrawMs = 100

/**
 * Runs a command as if the user had started it in the terminal: passes every byte both ways. Only keys restart the
 * silence limit, not output, because waiting interfaces show a spinner. Never throws: a failed start is a result.
 */
export function startInTerminal(command: Command, options: TerminalRunOptions): RunningInTerminal {
  let connection: Connection | undefined
  const running = startHeld((onStart) =>
    supervise(command, options, (race, opened, hold) => {
      connection = opened
      onStart(race, hold)
    }),
  )
  return { ...running, type: (keys) => connection?.type(keys) }
}

async function supervise(
  command: Command,
  options: TerminalRunOptions,
  onStart: (race: EndRace, connection: Connection, hold: TreeHold) => void,
): Promise<CommandResult> {
  const readClock = startCommandClock()
  const withoutStart = (end: CommandEnd): CommandResult => ({ end, ...readClock(), tail: '' })
  if (options.signal?.aborted) return withoutStart({ reason: 'canceled' })
  const taken = options.terminal.take(options.guardTerminal)
  try {
    const pty = await open(command, taken, options).catch((error: unknown) => toSpawnError(command, error))
    if (!('pid' in pty)) return withoutStart({ reason: 'spawn-failed', error: pty satisfies MdtestError })
    options.viewer?.begin(taken.size)
    const limit = chooseLimit()
    if (limit !== undefined) setLimit(pty.pid, limit)
    const root = { pid: pty.pid, startTime: readStartTime(pty.pid), limit }
    options.adopt(root)
    const race = waitForEnd(options)
    const connection = connect(pty, taken, { root, race, ...options })
    const hold = holdTree({ root, mark: options.mark })
    onStart(race, connection, hold)
    race.guard(() => options.onSpawn?.(pty.pid))
    const end = await race.first
    hold.close()
    const times = readClock()
    const hasExited = end.reason === 'exit' || end.reason === 'signal'
    const graceMs = hasExited ? Math.min(options.graceMs, leftoverGraceMs) : options.graceMs
    await killTree({ ...root, mark: options.mark, graceMs })
    connection.close()
    race.rethrow()
    return { end, ...times, tail: connection.tail }
  } finally {
    taken.giveBack()
  }
}

async function open(
  { argv: [file, ...args], cwd, env }: Command,
  { size, name }: TakenTerminal,
  { mark, runMark }: TerminalRunOptions,
): Promise<IPty> {
  const { spawn } = await loadPty()
  const marked = withMarks(env, runMark === undefined ? [mark] : [runMark, mark])
  // `encoding: null` gives raw bytes.
  return spawn(file, args, { ...size, name, cwd, env: marked, encoding: null })
}

interface Connection {
  readonly tail: string
  type(keys: string): void
  close(): void
}

interface Connected extends Pick<TerminalRunOptions, 'mark' | 'onInterrupt' | 'viewer'> {
  readonly root: TreeRoot
  readonly race: EndRace
}

function connect(pty: IPty, taken: TakenTerminal, { root, race, mark, onInterrupt, viewer }: Connected): Connection {
  let tail = ''
  let isOpen = true
  const takeInterrupts = createInterrupts(onInterrupt)
  pty.onData((data: unknown) => {
    const bytes = data as Buffer // because of `encoding: null`
    taken.write(bytes)
    viewer?.write(bytes)
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
  const resize = (extraRows = 0): void => {
    if (isOpen) pty.resize(taken.size.cols, taken.size.rows + extraRows)
  }
  taken.onResize(() => {
    resize()
    viewer?.resize(taken.size)
  })
  // Keep the other side open: when it closes, the terminal drops all unread output.
  const otherSide = openSync((pty as IPty & { readonly ptsName: string }).ptsName, readOnly) // missing in the type
  pty.onExit(({ exitCode, signal }) => {
    isOpen = false
    closeSync(otherSide)
    race.settle(endOf(exitCode, signal))
  })
  const jobControl = followJobControl(root, mark, {
    onStop: () => taken.suspend(),
    onContinue() {
      race.touch()
      taken.resume()
      // Change the size briefly, because a program that was stopped redraws its screen only for a new size.
      resize(1)
      setTimeout(resize, redrawMs)
    },
  })
  return {
    get tail() {
      return screenText(Buffer.from(tail, 'latin1').toString('utf8')).slice(-tailCharacters)
    },
    type,
    close() {
      isOpen = false
      jobControl.close()
    },
  }
}

function endOf(exitCode: number, signal: number | undefined): CommandEnd {
  if (signal === undefined || signal === 0) return { reason: 'exit', exitCode }
  const name = Object.entries(constants.signals).find(([, each]) => each === signal)?.[0] ?? 'SIGKILL'
  return { reason: 'signal', signal: name as NodeJS.Signals } // a key of `signals`
}

/** Cursor moves, which count as white space because interfaces skip blanks with them. */
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
    throw new MdtestError(
      'EXEC_PTY_MISSING',
      "The agent's own interface needs the package `@lydell/node-pty`, which is not installed or does not support this system.",
      { hint: 'Install with optional dependencies (no `--omit=optional`), or run with `--headless`.', cause: error },
    )
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
