import { MdtestError } from '../mdtest-error.ts'
import type { Ground } from '../files/ground.ts'
import type { Redactor } from '../redaction/redact.ts'
import { createCallbackGuard, type CallbackGuard, startCommandClock, type EndRace, waitForEnd } from './wait-for-end.ts'
import { holding, holdTree, type TreeHold } from './trees/hold-tree.ts'
import { killTree } from './trees/kill-trees.ts'
import type { LauncherAddress } from './launcher/launcher.ts'
import { createRawLog, type OutputStream, type RawLog } from './raw-log.ts'
import { type Output, readOutput } from './read-output.ts'
import { type Command, type CommandEnd, toSpawnError } from './command.ts'
import type { Socket } from 'node:net'
import { launch, type Launched } from './launcher/launch.ts'
import { chooseLimit, type InheritedLimit, withMarks, createMark } from './trees/marks.ts'
import type { LiveTrees } from './launcher/live-trees.ts'

export interface RunOptions {
  readonly launcher: LauncherAddress
  /** Limit of the whole command in milliseconds, from 1; what is over 2 147 483 647 counts as that. */
  readonly hardTimeoutMs: number
  /** Limit without output or `touch()` in milliseconds, from 1. Default: none. */
  readonly silenceTimeoutMs?: number | undefined
  readonly graceMs: number
  readonly mark: string
  readonly runMark?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Absolute path of a file for all output; see `createRawLog`. Default: none. */
  readonly rawLogFile?: string | undefined
  /** Below it no link on the way to that file is followed. Default: its folder. */
  readonly rawLogGround?: Ground | undefined
  /** Takes secrets out of the raw log and the tail, not out of what `onLine` gets. Default: none. */
  readonly redactor?: Redactor | undefined
  /**
   * Characters of a line (UTF-16 units, from 2), in the raw log, too; a longer one comes in pieces. Up to four times as
   * much may be in memory.
   * @default 4_194_304
   */
  readonly maxLineChars?: number | undefined
  readonly onLine?: ((stream: OutputStream, line: string) => void) | undefined
  readonly onSpawn?: ((pid: number) => void) | undefined
}

export interface CommandResult {
  readonly end: CommandEnd
  readonly startedAt: string
  readonly durationMs: number
  readonly tail: string
  readonly rawLogError?: string
}

export interface RunningCommand {
  /** Any sign of life other than output, which counts by itself: the silence limit starts anew. */
  touch(): void
  hold(): Promise<readonly string[]>
  letHear: TreeHold['letHear']
  release(): void
  /**
   * Fulfilled once the command and all it started are gone. Rejected only with what `onLine` or `onSpawn` threw, after
   * the same.
   */
  readonly ended: Promise<CommandResult>
}

const leftoverGraceMs = 500
const drainAfterExitMs = 1000
const drainAfterKillMs = 1000

export function startCommand(command: Command, options: RunOptions): RunningCommand {
  let race: EndRace | undefined
  let hold: TreeHold | undefined
  const ended = supervise(command, options, (started, held) => {
    race = started
    hold = held
  })
  // Whoever awaits `ended` later still gets the error; until then it is not an unhandled one.
  ended.catch(() => undefined)
  return { touch: () => race?.touch(), ended, ...holding(() => race && hold && { race, hold }) }
}

export async function runCommand(command: Command, options: RunOptions): Promise<CommandResult> {
  return await startCommand(command, options).ended
}

async function supervise(
  command: Command,
  options: RunOptions,
  onStart: (race: EndRace, hold: TreeHold) => void,
): Promise<CommandResult> {
  const clock = startCommandClock()
  const withoutStart = (end: CommandEnd): CommandResult => ({ end, ...clock.read(), tail: '' })
  if (options.signal?.aborted) return withoutStart({ reason: 'canceled' })
  const launched = await startProgram(command, options)
  if (launched instanceof MdtestError) return withoutStart({ reason: 'spawn-failed', error: launched })
  launched.stdin?.end(command.input ?? '')
  const race = waitForEnd(options)
  const { pid, startTime, limit, ended } = launched
  const hold = holdTree({ root: { pid, startTime, limit }, mark: options.mark })
  onStart(race, hold)
  const rawLog =
    options.rawLogFile === undefined ? undefined : createRawLog(options.rawLogFile, { ground: options.rawLogGround })
  ended.then(
    ({ exitCode, signal }) =>
      race.settle(signal === null ? { reason: 'exit', exitCode: exitCode ?? -1 } : { reason: 'signal', signal }),
    (error: unknown) => race.settle({ reason: 'lost', error: toSpawnError(command, error) }),
  )
  const guard = createCallbackGuard(race)
  const output = listen(launched, { options, race, guard, rawLog })
  guard.run(() => options.onSpawn?.(pid))
  const end = await race.first
  hold.close()
  const times = clock.read()
  const hasExited = end.reason === 'exit' || end.reason === 'signal'
  // A helper such as `tee` may have output left: it may write that before it counts as left behind.
  if (hasExited) await output.drain({ maxMs: drainAfterExitMs })
  const graceMs = hasExited ? Math.min(options.graceMs, leftoverGraceMs) : options.graceMs
  await killTree({ pid, startTime, limit, mark: options.mark, graceMs })
  await output.drain({ maxMs: drainAfterKillMs })
  output.close()
  rawLog?.close()
  launched.unref()
  guard.rethrow()
  return { end, ...times, tail: output.tail, ...(rawLog?.error !== undefined && { rawLogError: rawLog.error }) }
}

interface Ears {
  readonly options: RunOptions
  readonly race: EndRace
  readonly guard: CallbackGuard
  readonly rawLog: RawLog | undefined
}

function listen({ stdout, stderr }: StartedProgram, { options, race, guard, rawLog }: Ears): Output {
  const { maxLineChars, onLine, redactor } = options
  return readOutput(
    { stdout, stderr },
    {
      onChunk() {
        race.touch()
        rawLog?.flush()
      },
      onLogLine: rawLog && ((stream, line) => rawLog.add(stream, line)),
      onLine: onLine && ((stream, line) => guard.run(() => onLine(stream, line))),
      redactor,
      maxLineChars,
    },
  )
}

interface StartedProgram extends Omit<Launched, 'pipes'> {
  readonly limit: InheritedLimit | undefined
  readonly stdout: Socket
  readonly stderr: Socket
  readonly stdin?: Socket
}

async function startProgram(
  { input, ...program }: Command,
  { launcher, mark, runMark }: RunOptions,
): Promise<StartedProgram | MdtestError> {
  const limit = chooseLimit()
  try {
    const env = withMarks(program.env, runMark === undefined ? [mark] : [runMark, mark])
    const marked = { ...program, env, limit }
    if (input === undefined) {
      const { pipes, ...launched } = await launch(launcher, marked, [1, 2])
      const [stdout, stderr] = pipes
      return { ...launched, limit, stdout, stderr }
    }
    const { pipes, ...launched } = await launch(launcher, marked, [0, 1, 2])
    const [stdin, stdout, stderr] = pipes
    return { ...launched, limit, stdin, stdout, stderr }
  } catch (error: unknown) {
    return toSpawnError(program, error)
  }
}

export interface TreeRunOptions extends Omit<RunOptions, 'launcher' | 'mark' | 'onSpawn'> {
  readonly trees: LiveTrees
}

export async function runInTrees(command: Command, { trees, ...options }: TreeRunOptions): Promise<CommandResult> {
  const clock = startCommandClock()
  const mark = createMark()
  let started: number | undefined
  try {
    return await runCommand(command, {
      ...options,
      launcher: await trees.launcher(),
      mark,
      onSpawn(pid) {
        started = pid
        trees.add({ pid, mark })
      },
    })
  } catch (error: unknown) {
    if (!(error instanceof MdtestError)) throw error
    return { end: { reason: 'spawn-failed', error }, ...clock.read(), tail: '' }
  } finally {
    if (started !== undefined) trees.remove(started)
  }
}

export interface ProgramContext {
  readonly trees: LiveTrees
  readonly runMark: string
  readonly env: Readonly<Record<string, string>>
  readonly redactor: Redactor
}
