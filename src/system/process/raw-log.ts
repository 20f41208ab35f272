import { closeSync, ftruncateSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { groundAt, type Ground } from '../files/ground.ts'
import { openNewFile } from '../files/write-file.ts'
import { messageOf } from '../error-facts.ts'

/** The two streams of a command. */
export type OutputStream = 'stdout' | 'stderr'

/** The output of one command as it came, on disk, for people. */
export interface RawLog {
  /** Once full, lines are only counted. */
  add(stream: OutputStream, line: string): void
  /** Writes what was added. */
  flush(): void
  close(): void
  /** Why the file is incomplete or missing, where writing failed. */
  readonly error: string | undefined
}

const defaultMaxBytes = 10 * 1024 * 1024

const prefixes = { stdout: 'out| ', stderr: 'err| ' } as const

interface RawLogOptions {
  readonly maxBytes?: number
  /** Below it no link is followed. Default: the folder of the file. */
  readonly ground?: Ground | undefined
}

/**
 * Writes each line of output behind `out| ` or `err| `. After `maxBytes` (from 0, default 10 MiB) the head is kept
 * and one more line (`cut| …`) says how many bytes were dropped. A file or link in its
 * place is removed first. Never throws: see `error`.
 *
 * Writing is synchronous: what a killed run saw up to then is on disk, and memory cannot pile up.
 */
export function createRawLog(
  file: string,
  { maxBytes = defaultMaxBytes, ground = groundAt(dirname(file)) }: RawLogOptions = {},
): RawLog {
  let pending = ''
  let pendingBytes = 0
  let keptBytes = 0
  let droppedBytes = 0
  let error: string | undefined
  const descriptor = attempt(() => openNewFile(ground, file))

  function attempt<T>(action: () => T): T | undefined {
    if (error !== undefined) return undefined
    try {
      return action()
    } catch (cause: unknown) {
      error = `Could not write the raw log ${file}: ${messageOf(cause)}`
      return undefined
    }
  }

  function write(text: string): void {
    if (descriptor !== undefined) attempt(() => writeWhole(descriptor, text, keptBytes))
  }

  function flush(): void {
    if (pending === '') return
    write(pending)
    keptBytes += pendingBytes
    pending = ''
    pendingBytes = 0
  }

  function drop(bytes: number): void {
    flush()
    // Said at once, so that the log of a killed run says it, too; the number is filled in at the end.
    if (droppedBytes === 0) write('cut| The log is full: what came after this is not kept.\n')
    droppedBytes += bytes
  }

  return {
    add(stream, line) {
      const bytes = prefixes[stream].length + Buffer.byteLength(line) + 1
      if (droppedBytes > 0 || keptBytes + pendingBytes + bytes > maxBytes) return drop(bytes)
      pending += `${prefixes[stream]}${line}\n`
      pendingBytes += bytes
    },
    flush,
    close() {
      flush()
      if (descriptor === undefined) return
      if (droppedBytes > 0) {
        attempt(() => ftruncateSync(descriptor, keptBytes))
        write(`cut| The log is full: ${droppedBytes} bytes that came after this were dropped.\n`)
      }
      attempt(() => closeSync(descriptor))
    },
    get error() {
      return error
    },
  }
}

/** One write may take only a part, for example on a disk that is nearly full. */
function writeWhole(descriptor: number, text: string, position: number): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length;) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done)
  }
}
