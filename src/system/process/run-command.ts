import { MdtestError } from '../mdtest-error.ts'
import type { Ground } from '../files/ground.ts'
import type { Redactor } from '../redaction/redact.ts'
import { startCommandClock, type EndRace, waitForEnd } from './wait-for-end.ts'
import { holdTree, type Running, startHeld, type TreeHold } from './trees/hold-tree.ts'
import { killTree } from './trees/kill-trees.ts'
import type { LauncherAddress } from './launcher/launcher.ts'
import { createRawLog, type OutputStream } from './raw-log.ts'
import { readOutput } from './read-output.ts'
import { type Command, type CommandEnd, toSpawnError } from './command.ts'
import { launch } from './launcher/launch.ts'
import { chooseLimit, withMarks, createMark } from './trees/marks.ts'
import type { LiveTrees } from './launcher/live-trees.ts'

export interface RunOptions {
  readonly launcher: LauncherAddress
  readonly hardTimeoutMs: number
  /** The longest time without output or a call of `touch()`. Default: no limit */
  readonly silenceTimeoutMs?: number | undefined
  readonly graceMs: number
  readonly mark: string
  readonly runMark?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Absolute path of a file for all output, see `createRawLog`. */
  readonly rawLogFile?: string | undefined
  /** Links below this folder are not followed when the log is opened. Default: the folder of the log */
  readonly rawLogGround?: Ground | undefined
  /** Removes secrets from the raw log and the tail, but not from the lines that `onLine` gets. */
  readonly redactor?: Redactor | undefined
  readonly maxLineChars?: number | undefined
  readonly onLine?: ((stream: OutputStream, line: string) => void) | undefined
  readonly onSpawn?: ((pid: number) => void) | undefined
  /** How long a hold waits for background jobs. Use 0 if no shell is involved. */
  readonly jobsMs?: number | undefined
}

export interface CommandResult {
  readonly end: CommandEnd
  readonly startedAt: string
  readonly durationMs: number
  readonly tail: string
  readonly rawLogError?: string
}

export type RunningCommand = Running<CommandResult>

const leftoverGraceMs = 500
const drainMs = 1000

export function startCommand(command: Command, options: RunOptions): RunningCommand {
  return startHeld((onStart) => supervise(command, options, onStart))
}

export async function runCommand(command: Command, options: RunOptions): Promise<CommandResult> {
  return await startCommand(command, options).ended
}

async function supervise(
  command: Command,
  options: RunOptions,
  onStart: (race: EndRace, hold: TreeHold) => void,
): Promise<CommandResult> {
  const readClock = startCommandClock()
  const withoutStart = (end: CommandEnd): CommandResult => ({ end, ...readClock(), tail: '' })
  if (options.signal?.aborted) return withoutStart({ reason: 'canceled' })
  const launched = await startProgram(command, options)
  if (launched instanceof MdtestError) return withoutStart({ reason: 'spawn-failed', error: launched })
  const race = waitForEnd(options)
  const { pid, startTime, limit, ended } = launched
  const hold = holdTree({ root: { pid, startTime, limit }, mark: options.mark, jobsMs: options.jobsMs })
  onStart(race, hold)
  ended.then(
    ({ exitCode, signal }) =>
      race.settle(signal === null ? { reason: 'exit', exitCode: exitCode ?? -1 } : { reason: 'signal', signal }),
    (error: unknown) => race.settle({ reason: 'lost', error: toSpawnError(command, error) }),
  )
  const { maxLineChars, onLine, redactor, rawLogFile, rawLogGround } = options
  const rawLog = rawLogFile === undefined ? undefined : createRawLog(rawLogFile, { ground: rawLogGround })
  const output = readOutput(launched, {
    onChunk() {
      race.touch()
      rawLog?.flush()
    },
    onLogLine: rawLog && ((stream, line) => rawLog.add(stream, line)),
    onLine: onLine && ((stream, line) => race.guard(() => onLine(stream, line))),
    redactor,
    maxLineChars,
  })
  race.guard(() => options.onSpawn?.(pid))
  const end = await race.first
  hold.close()
  const times = readClock()
  const hasExited = end.reason === 'exit' || end.reason === 'signal'
  // A helper such as `tee` may still have output to write.
  if (hasExited) await output.drain({ maxMs: drainMs })
  const graceMs = hasExited ? Math.min(options.graceMs, leftoverGraceMs) : options.graceMs
  await killTree({ pid, startTime, limit, mark: options.mark, graceMs })
  await output.drain({ maxMs: drainMs })
  output.close()
  rawLog?.close()
  launched.unref()
  race.rethrow()
  return { end, ...times, tail: output.tail, ...(rawLog?.error !== undefined && { rawLogError: rawLog.error }) }
}

async function startProgram({ input, ...program }: Command, { launcher, mark, runMark }: RunOptions) {
  const limit = chooseLimit()
  try {
    const env = withMarks(program.env, runMark === undefined ? [mark] : [runMark, mark])
    const descriptors = input === undefined ? ([1, 2] as const) : ([1, 2, 0] as const) // tuples, not arrays
    const { pipes, ...launched } = await launch(launcher, { ...program, env, limit }, descriptors)
    const [stdout, stderr] = pipes
    pipes.at(2)?.end(input ?? '')
    return { ...launched, limit, stdout, stderr }
  } catch (error: unknown) {
    return toSpawnError(program, error)
  }
}

export async function runInTrees(
  command: Command,
  { trees, ...options }: Omit<RunOptions, 'launcher' | 'mark' | 'onSpawn'> & { readonly trees: LiveTrees },
): Promise<CommandResult> {
  const readClock = startCommandClock()
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
    return { end: { reason: 'spawn-failed', error }, ...readClock(), tail: '' }
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
