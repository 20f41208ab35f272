import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs'
import { textOfBytes } from '../text/byte-text.ts'
import { errorCode } from '../error-facts.ts'
import { formatMakePipes } from './open-shell-statements.ts'
import { type ShellProcess, describeEnd, waitForShell } from './open-shell-process.ts'

/**
 * Takes the output of one command from named pipes. Pipes, because `>/dev/stderr` fails on a socket and truncates a
 * file; named ones per command, because what a background process writes later must not appear in the next command.
 */
export interface OutputCollector {
  /** To be called when the shell has opened the pipes. */
  read(): void
  /** Takes all that was written so far, then says whether nobody can write any more. */
  drain(): boolean
  /** Text that keeps bytes that are no UTF-8, see `textOfBytes`. */
  stdout(): string
  stderr(): string
  /** Lets go of the pipes; their files stay. */
  close(): void
}

/** Before the first look, in milliseconds: most commands end before, and then one look at the end is enough. */
const firstPauseMs = 5

/** Pauses between two looks at an empty pipe, in milliseconds. */
const minPauseMs = 1
const maxPauseMs = 20

/** What becomes of the output. */
export interface OutputUse {
  /** What may come at most. */
  readonly limitBytes: number
  /** Called once when more came; the rest is dropped. */
  onTooMuch(): void
  /** Takes all output as it comes, which then is neither limited nor kept. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined
}

/**
 * The pipes are polled, not handed to a `net.Socket`: that would close descriptors behind the back of `node:fs`, and
 * a worker thread closes all that it believes open when it ends, by then perhaps another thread's.
 *
 * @param paths one pipe for merged output, else one each for stdout and stderr
 */
export function collectOutput(
  paths: readonly string[],
  { limitBytes, onTooMuch, onOutput }: OutputUse,
): OutputCollector {
  const pipes = paths.map((path) => ({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    chunks: new Array<Buffer>(),
  }))
  let sizeBytes = 0
  let isDone = false
  let timer: NodeJS.Timeout | undefined
  const take = (chunks: Buffer[], bytes: number): void => {
    // Late output of a background process is read, so that it does not block, and dropped.
    if (isDone || sizeBytes > limitBytes) return
    if (onOutput) return onOutput(Buffer.from(buffer.subarray(0, bytes)))
    const keptBytes = Math.min(bytes, limitBytes - sizeBytes)
    chunks.push(Buffer.from(buffer.subarray(0, keptBytes)))
    sizeBytes += bytes
    if (sizeBytes > limitBytes) onTooMuch()
  }
  /** Reads what is there, up to a bound, so that a flood does not hold the event loop. */
  const readAvailable = (): Availability => {
    const seen = pipes.map(({ fd, chunks }) => {
      for (let round = 0; round < maxReadsAtOnce; round += 1) {
        const bytes = readNow(fd)
        if (typeof bytes === 'string') return bytes
        take(chunks, bytes)
      }
      return 'more'
    })
    return seen.includes('more') ? 'more' : seen.includes('empty') ? 'empty' : 'ended'
  }
  const poll = (pauseMs: number): void => {
    timer = setTimeout(() => {
      const available = readAvailable()
      if (available !== 'ended') poll(available === 'more' ? minPauseMs : Math.min(2 * pauseMs, maxPauseMs))
    }, pauseMs)
    timer.unref()
  }
  const textOf = (index: number): string => textOfBytes(Buffer.concat(pipes[index]?.chunks ?? []))
  return {
    read: () => poll(firstPauseMs),
    drain() {
      let available = readAvailable()
      while (available === 'more' && sizeBytes <= limitBytes) available = readAvailable()
      isDone = true
      return available === 'ended'
    },
    stdout: () => textOf(0),
    stderr: () => textOf(1),
    close() {
      isDone = true
      clearTimeout(timer)
      for (const { fd } of pipes) closeSync(fd)
    },
  }
}

/** What a pipe holds. One for all: it is read into and copied from in one go. */
const buffer = Buffer.allocUnsafe(65_536)

/** 4 MiB. */
const maxReadsAtOnce = 64

/** `empty`: nothing now, but somebody can still write; `ended`: nobody can; `more`: there may be more at once. */
type Availability = 'empty' | 'ended' | 'more'

function readNow(fd: number): number | 'empty' | 'ended' {
  try {
    return readSync(fd, buffer) || 'ended'
  } catch (error: unknown) {
    if (errorCode(error) === 'EAGAIN') return 'empty'
    throw error
  }
}

/** Paths for standard output and standard error. */
export type PipePaths = readonly [string, string]

/** The named pipes for the output of the next command. Made by bash, because Node cannot. */
export class ShellPipes {
  readonly #prefix: string
  #paths: PipePaths | undefined
  #count = 0

  /** @param prefix start of their paths */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Absent until somebody asks for them, and once they are removed. */
  get paths(): PipePaths | undefined {
    return this.#paths
  }

  /**
   * Says why they could not be made.
   * @param timeoutMs how long bash may take, in milliseconds
   */
  async make(shell: ShellProcess, timeoutMs: number): Promise<string | undefined> {
    const prefix = `${this.#prefix}-${(this.#count += 1)}`
    const paths = [`${prefix}-out`, `${prefix}-err`] as const
    // Known from now on, also where it fails: what makes them may outlive bash by a moment.
    this.#paths = paths
    shell.send(formatMakePipes(paths))
    const answer = await waitForShell(shell, { timeoutMs, isLast: isPipesReport })
    return answer.reports.includes('pipes') ? undefined : (answer.end?.error ?? describeEnd(answer))
  }

  remove(): void {
    for (const path of this.#paths ?? []) rmSync(path, { force: true })
    this.#paths = undefined
  }
}

function isPipesReport(words: string): boolean {
  return words === 'pipes' || words === 'no-pipes'
}
