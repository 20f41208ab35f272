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
  /** Who starts it. */
  readonly launcher: LauncherAddress
  /** Limit of the whole command in milliseconds, from 1; what is over 2 147 483 647 counts as that. */
  readonly hardTimeoutMs: number
  /** Limit without output or `touch()` in milliseconds, from 1. Default: none. */
  readonly silenceTimeoutMs?: number | undefined
  /** How long the tree may clean up after SIGTERM, in milliseconds, from 0; then SIGKILL. */
  readonly graceMs: number
  /** What this command, and nothing else, carries in `MDTEST_MARKS`. */
  readonly mark: string
  /** What everything of this run carries besides. */
  readonly runMark?: string | undefined
  /** Ends the command as `canceled`. */
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
  /** Called for each line, at the end also for an unfinished one. */
  readonly onLine?: ((stream: OutputStream, line: string) => void) | undefined
  /** Called once it runs, not at all when nothing was started. */
  readonly onSpawn?: ((pid: number) => void) | undefined
}

/** How a command went. */
export interface CommandResult {
  readonly end: CommandEnd
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** Until the command ended or was told to, without cleaning up. */
  readonly durationMs: number
  /** The last 4096 characters of both streams, in order of arrival. */
  readonly tail: string
  /** Why the raw log is incomplete or missing. */
  readonly rawLogError?: string
}

export interface RunningCommand {
  /** Any sign of life other than output, which counts by itself: the silence limit starts anew. */
  touch(): void
  /**
   * Stops the command with all it started; its limits stand still. Gives the command lines of what it had left in the
   * background.
   */
  hold(): Promise<readonly string[]>
  /** Of a command that is stopped: lets those take an answer who wait for it, see `TreeHold`. */
  letHear: TreeHold['letHear']
  /** Lets it go on. */
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

/** Starts a command within limits. Never throws: a failed start is one of the ends. */
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

/** Runs a command within limits until it and all it started are gone. */
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
  // A process that even SIGKILL did not end must not keep ours alive.
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

/** The program of a command that runs, and waits for the second part of its input where the command has one. */
export interface StartedProgram extends Omit<Launched, 'pipes'> {
  /** What it and all that comes from it are known by. */
  readonly limit: InheritedLimit | undefined
  readonly stdout: Socket
  readonly stderr: Socket
  /** Absent for a command without input. */
  readonly stdin?: Socket
}

interface StartOptions {
  /** Who starts it. */
  readonly launcher: LauncherAddress
  /** What this program, and nothing else, carries in `MDTEST_MARKS`. */
  readonly mark: string
  /** What everything of this run carries besides. */
  readonly runMark?: string | undefined
}

/** Starts the program of a command and gives it the first part of its input. Never throws. */
async function startProgram(
  { input, ...program }: Command,
  { launcher, mark, runMark }: StartOptions,
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

/** As for `runCommand`, but for what the trees know themselves. */
export interface TreeRunOptions extends Omit<RunOptions, 'launcher' | 'mark' | 'onSpawn'> {
  readonly trees: LiveTrees
}

/** Runs a command until it and all it started are gone, as one of the trees of a run. That nothing starts it is an end, too. */
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

/** What whoever starts programs in a project needs. */
export interface ProgramContext {
  /** Starts programs, and ends them should we die. */
  readonly trees: LiveTrees
  /** What everything of this process carries in `MDTEST_MARKS`. */
  readonly runMark: string
  /** Environment of the programs. */
  readonly env: Readonly<Record<string, string>>
  /** Takes secrets out of what is written and returned. */
  readonly redactor: Redactor
}
