import { MdtestError } from '../mdtest-error.ts'
import type { Ground } from '../files/trusted-folder.ts'
import type { Redactor } from '../redaction/open-redactor.ts'
import { startCommandClock, type EndLimits, type EndRace, waitForEnd } from './wait-for-end.ts'
import { holdTree, type TreeHold } from './trees/hold-tree.ts'
import { killTrees, type TreeRoot } from './trees/kill-trees.ts'
import type { LauncherAddress } from './launcher/launcher.ts'
import { createRawLog, type OutputStream } from './raw-log.ts'
import { readOutput } from './read-output.ts'
import { type Command, type CommandEnd, toSpawnError } from './command.ts'
import { launch } from './launcher/launch.ts'
import { chooseLimit, withMarks, createMark } from './trees/marks.ts'
import type { LiveTrees } from './launcher/live-trees.ts'

export interface RunOptions extends EndLimits {
  readonly launcher: LauncherAddress
  readonly graceMs: number
  readonly mark: string
  readonly runMark?: string | undefined
  /** Absolute path of a file for all output, see `createRawLog`. */
  readonly rawLogFile?: string | undefined
  /** Links below this folder are not followed when the log is opened. Default: the folder of the log */
  readonly rawLogGround?: Ground | undefined
  /** Removes secrets from the raw log and the tail, but not from the lines that `onLine` gets. */
  readonly redactor?: Redactor | undefined
  readonly maxLineChars?: number | undefined
  readonly onLine?: ((stream: OutputStream, line: string) => void) | undefined
  readonly onSpawn?: ((pid: number) => void) | undefined
  /** Time for the shell's background jobs to end before the program is paused. Default: 5000. Without a shell: 0 */
  readonly jobsMs?: number | undefined
}

export interface CommandResult {
  readonly end: CommandEnd
  readonly startedAt: string
  readonly durationMs: number
  readonly tail: string
  readonly rawLogError?: string
}

export interface RunningCommand extends Pick<TreeHold, 'letHear'> {
  /** Restarts the silence limit. Call this when the program shows other signs of life than output. */
  touch(): void
  hold(): Promise<readonly string[]>
  release(): void
  /** Resolves when the command and all its processes are gone. Rejects only if `onLine` or `onSpawn` threw. */
  readonly ended: Promise<CommandResult>
}

const leftoverGraceMs = 500
const drainMs = 1000

export type TreeOptions = EndLimits & Pick<RunOptions, 'graceMs' | 'mark' | 'runMark' | 'onSpawn' | 'jobsMs'>

interface StartedTree {
  readonly root: TreeRoot
  /** Waits until the remaining output has been read. */
  drain?(): Promise<void>
  close(): Pick<CommandResult, 'tail' | 'rawLogError'>
}

/**
 * Starts a program and supervises it until all its processes are gone. If `start` throws, the command ends as
 * `spawn-failed`. The function that `start` returns must tell the `EndRace` when the program prints or ends.
 */
export function startTree(
  command: Command,
  options: TreeOptions,
  start: () => Promise<(race: EndRace) => StartedTree>,
): RunningCommand {
  let race: EndRace | undefined
  let tree: TreeHold | undefined
  const supervise = async (): Promise<CommandResult> => {
    const readClock = startCommandClock()
    const withoutStart = (end: CommandEnd): CommandResult => ({ end, ...readClock(), tail: '' })
    if (options.signal?.aborted) return withoutStart({ reason: 'canceled' })
    const connect = await start().catch((error: unknown) => toSpawnError(command, error))
    if (typeof connect !== 'function') return withoutStart({ reason: 'spawn-failed', error: connect })
    race = waitForEnd(options)
    const started = connect(race)
    const { root } = started
    tree = holdTree({ root, mark: options.mark, jobsMs: options.jobsMs })
    race.guard(() => options.onSpawn?.(root.pid))
    const end = await race.first
    tree.close()
    const times = readClock()
    const hasExited = end.reason === 'exit' || end.reason === 'signal'
    // A helper such as `tee` may still write after the program has exited.
    if (hasExited) await started.drain?.()
    const graceMs = hasExited ? Math.min(options.graceMs, leftoverGraceMs) : options.graceMs
    await killTrees({ roots: [root], mark: options.mark, since: root.startTime, graceMs })
    await started.drain?.()
    const left = started.close()
    race.rethrow()
    return { end, ...times, ...left }
  }
  const ended = supervise()
  // A rejection before anybody awaits `ended` must not end this process.
  ended.catch(() => undefined)
  return {
    touch: () => race?.touch(),
    async hold() {
      race?.pause()
      return (await tree?.stop()) ?? []
    },
    async letHear(port, heard) {
      await tree?.letHear(port, heard)
    },
    release() {
      tree?.resume()
      race?.resume()
    },
    ended,
  }
}

export function startCommand(command: Command, options: RunOptions): RunningCommand {
  return startTree(command, options, async () => {
    const { launcher, mark, runMark, maxLineChars, onLine, redactor, rawLogFile, rawLogGround } = options
    const { input, ...program } = command
    const limit = chooseLimit()
    const env = withMarks(program.env, [runMark, mark])
    const descriptors = input === undefined ? ([1, 2] as const) : ([1, 2, 0] as const)
    const { pid, startTime, ended, pipes, unref } = await launch(launcher, { ...program, env, limit }, descriptors)
    const [stdout, stderr] = pipes
    pipes.at(2)?.end(input ?? '')
    return (race) => {
      ended.then(
        ({ exitCode, signal }) =>
          race.settle(signal === null ? { reason: 'exit', exitCode: exitCode ?? -1 } : { reason: 'signal', signal }),
        (error: unknown) => race.settle({ reason: 'lost', error: toSpawnError(command, error) }),
      )
      const rawLog = rawLogFile === undefined ? undefined : createRawLog(rawLogFile, { ground: rawLogGround })
      const output = readOutput(
        { stdout, stderr },
        {
          onChunk() {
            race.touch()
            rawLog?.flush()
          },
          onLogLine: rawLog && ((stream, line) => rawLog.add(stream, line)),
          onLine: onLine && ((stream, line) => race.guard(() => onLine(stream, line))),
          redactor,
          maxLineChars,
        },
      )
      return {
        root: { pid, startTime, limit },
        drain: () => output.drain({ maxMs: drainMs }),
        close() {
          output.close()
          rawLog?.close()
          unref()
          return { tail: output.tail, ...(rawLog?.error !== undefined && { rawLogError: rawLog.error }) }
        },
      }
    }
  })
}

export async function runCommand(command: Command, options: RunOptions): Promise<CommandResult> {
  return await startCommand(command, options).ended
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
