import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createLineSplitter } from './line-splitter.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { OutputStream } from './raw-log.ts'

/** What is read from a running command. */
export interface Output {
  /** The last 4096 characters of both streams, in order of arrival, without secrets. */
  readonly tail: string
  /** Waits until both streams ended, nothing came for a quarter of a second, or `maxMs` is over. */
  drain(options: { readonly maxMs: number }): Promise<void>
  /** Hands over unfinished lines and lets go of the pipes, which others may still hold. */
  close(): void
}

/** Large enough for an event with a screenshot in it. */
const defaultMaxLineChars = 4 * 1024 * 1024
const tailChars = 4096
const quietMs = 250

/** Reads both streams to their end, whatever comes: any bytes, any amount, lines of any length. */
export function readOutput(
  streams: Readonly<Record<OutputStream, Readable>>,
  listener: {
    readonly onChunk: () => void
    readonly onLine?: ((stream: OutputStream, line: string) => void) | undefined
    /** The same lines without secrets, for a log. */
    readonly onLogLine?: ((stream: OutputStream, line: string) => void) | undefined
    readonly redactor?: Redactor | undefined
    readonly maxLineChars?: number | undefined
  },
): Output {
  const names = ['stdout', 'stderr'] as const
  let tail = ''
  let chunks = 0
  let isClosed = false

  function open(name: OutputStream): { readonly ended: Promise<void>; flush(): void } {
    const decoder = new StringDecoder('utf8')
    const { onLine, onLogLine, redactor, maxLineChars = defaultMaxLineChars } = listener
    const lines = onLine && createLineSplitter({ maxLineChars, onLine: (line) => onLine(name, line) })
    const logLines = onLogLine && createLineSplitter({ maxLineChars, onLine: (line) => onLogLine(name, line) })
    const redacted = redactor?.createStream()
    const keep = (text: string): void => {
      tail = lastChars(tail, text)
      logLines?.push(text)
    }
    const take = (text: string): void => {
      keep(redacted?.write(text) ?? text)
      lines?.push(text)
    }
    const stream = streams[name]
    stream.on('data', (chunk: Buffer) => {
      if (isClosed) return
      chunks += 1
      take(decoder.write(chunk))
      listener.onChunk()
      // What is ready is read many times in a row otherwise, and millions of short lines would keep limits from their turn.
      stream.pause()
      setImmediate(() => stream.resume())
    })
    // A broken pipe ends a stream like any other end.
    stream.on('error', () => undefined)
    const flush = (): void => {
      take(decoder.end())
      keep(redacted?.end() ?? '')
      logLines?.end()
      lines?.end()
    }
    return { ended: new Promise((resolve) => void stream.once('close', resolve)), flush }
  }

  const opened = names.map(open)
  let areEnded = false
  const ended = Promise.all(opened.map((stream) => stream.ended)).then(() => void (areEnded = true))

  return {
    get tail() {
      return tail
    },
    async drain({ maxMs }) {
      const deadlineMs = performance.now() + maxMs
      for (let before = -1; !areEnded && before !== chunks && performance.now() < deadlineMs;) {
        before = chunks
        await settledWithin(ended, quietMs)
      }
    },
    close() {
      if (isClosed) return
      for (const stream of opened) stream.flush()
      isClosed = true
      for (const name of names) streams[name].destroy()
      listener.onChunk()
    },
  }
}

/** Keeps whole characters: never begins inside one of two units. */
function lastChars(before: string, added: string): string {
  const text = added.length >= tailChars ? added : before + added
  return text.slice(-tailChars).replace(/^[\uDC00-\uDFFF]/, '')
}

/** After the wait, what is ready to be read gets its turn: the process may have been too busy to read it. */
async function settledWithin(promise: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), limitMs)
  })
  await Promise.race([promise, limit])
  clearTimeout(timer)
}
