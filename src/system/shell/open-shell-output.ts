import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs'
import { textOfBytes } from '../text/byte-text.ts'
import { errorCode } from '../error-facts.ts'
import type { ShellRunOptions } from './open-shell-result.ts'
import { formatMakePipes } from './open-shell-statements.ts'
import { type ShellProcess, endOfBash, waitForShell } from './open-shell-process.ts'

/** Reads output from named pipes, because `>/dev/stderr` in a command fails on a socket and truncates a file. */
export interface OutputCollector {
  read(): void
  drain(): boolean
  output(): readonly string[]
  close(): void
}

const firstPauseMs = 5
const minPauseMs = 1
const maxPauseMs = 20

/** Avoids `net.Socket`, which closes its descriptor again when a worker ends: another thread may use that number. */
export function collectOutput(
  paths: readonly string[],
  { limitBytes, onTooMuch, onOutput }: Pick<ShellRunOptions, 'onOutput'> & { limitBytes: number; onTooMuch(): void },
): OutputCollector {
  const pipes = paths.map((path) => ({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    chunks: new Array<Buffer>(),
  }))
  let sizeBytes = 0
  let isDone = false
  let timer: NodeJS.Timeout | undefined
  const take = (chunks: Buffer[], bytes: number): void => {
    // Read late output and drop it: otherwise a background process would block on a full pipe.
    if (isDone || sizeBytes > limitBytes) return
    if (onOutput) return onOutput(Buffer.from(buffer.subarray(0, bytes)))
    chunks.push(Buffer.from(buffer.subarray(0, Math.min(bytes, limitBytes - sizeBytes))))
    sizeBytes += bytes
    if (sizeBytes > limitBytes) onTooMuch()
  }
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
  return {
    read: () => poll(firstPauseMs),
    drain() {
      let available = readAvailable()
      while (available === 'more' && sizeBytes <= limitBytes) available = readAvailable()
      isDone = true
      return available === 'ended'
    },
    output: () => pipes.map(({ chunks }) => textOfBytes(Buffer.concat(chunks))),
    close() {
      isDone = true
      clearTimeout(timer)
      for (const { fd } of pipes) closeSync(fd)
    },
  }
}

const buffer = Buffer.allocUnsafe(65_536)
const maxReadsAtOnce = 64

/** `empty`: nothing to read now; `ended`: no process has the pipe open any more; `more`: read again at once. */
type Availability = 'empty' | 'ended' | 'more'

function readNow(fd: number): number | 'empty' | 'ended' {
  try {
    return readSync(fd, buffer) || 'ended'
  } catch (error: unknown) {
    if (errorCode(error) === 'EAGAIN') return 'empty'
    throw error
  }
}

export type PipePaths = readonly [string, string]

export class ShellPipes {
  paths: PipePaths | undefined
  readonly #prefix: string
  #count = 0

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Returns `undefined`, or the reason why the pipes could not be made. */
  async make(shell: ShellProcess, timeoutMs: number): Promise<string | undefined> {
    const prefix = `${this.#prefix}-${(this.#count += 1)}`
    const paths = [`${prefix}-out`, `${prefix}-err`] as const
    // Set the paths before `mkfifo` starts, so that `remove` finds the pipes even if bash ends without an answer.
    this.paths = paths
    shell.send(formatMakePipes(paths))
    const isLast = (words: string): boolean => words === 'pipes' || words === 'no-pipes'
    const answer = await waitForShell(shell, { timeoutMs, isLast })
    return answer.reports.includes('pipes') ? undefined : (answer.end?.error ?? endOfBash(answer))
  }

  remove(): void {
    for (const path of this.paths ?? []) rmSync(path, { force: true })
    this.paths = undefined
  }
}
