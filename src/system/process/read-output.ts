import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Redactor } from '../redaction/open-redactor.ts'
import type { OutputStream } from './raw-log.ts'
import type { Socket } from 'node:net'

export interface Output {
  readonly tail: string
  /** Waits until both streams have ended or print nothing for 250 ms. Waits at most `maxMs`. */
  drain(options: { readonly maxMs: number }): Promise<void>
  close(): void
}

/** An agent's JSON event that contains a screenshot must fit into one line. */
const defaultMaxLineChars = 4 * 1024 * 1024
const tailChars = 4096
const quietMs = 250

export function readOutput(
  streams: Readonly<Record<OutputStream, Readable>>,
  listener: {
    readonly onChunk: () => void
    readonly onLine?: ((stream: OutputStream, line: string) => void) | undefined
    readonly onLogLine?: ((stream: OutputStream, line: string) => void) | undefined
    readonly redactor?: Redactor | undefined
    readonly maxLineChars?: number | undefined
  },
): Output {
  const names = ['stdout', 'stderr'] as const
  let tail = ''
  let chunks = 0
  let isClosed = false

  function followStream(name: OutputStream): { readonly ended: Promise<void>; flush(): void } {
    const decoder = new StringDecoder('utf8')
    const { onLine, onLogLine, redactor, maxLineChars = defaultMaxLineChars } = listener
    const lines = onLine && createLineSplitter(maxLineChars, (line) => onLine(name, line))
    const logLines = onLogLine && createLineSplitter(maxLineChars, (line) => onLogLine(name, line))
    const redacted = redactor?.createStream()
    const keep = (text: string): void => {
      tail = (tail + text).slice(-tailChars).replace(/^[\uDC00-\uDFFF]/, '')
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
      // Handle one chunk per turn of the event loop: otherwise millions of short lines would delay all timers.
      stream.pause()
      setImmediate(() => stream.resume())
    })
    stream.on('error', () => undefined)
    const flush = (): void => {
      take(decoder.end())
      keep(redacted?.end() ?? '')
      logLines?.end()
      lines?.end()
    }
    return { ended: new Promise((resolve) => void stream.once('close', resolve)), flush }
  }

  const opened = names.map(followStream)
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

/** When the time is over, `setImmediate` lets Node.js first read output that came while this process was busy. */
async function settledWithin(promise: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), limitMs)
  })
  await Promise.race([promise, limit])
  clearTimeout(timer)
}

/** Appended to each piece of an overlong line except the last piece. */
export const continuedMark = ' [line continues]'

/** Splits a line longer than `maxLineChars` (UTF-16 units, at least 2) into pieces that end with `continuedMark`. */
export function createLineSplitter(
  maxLineChars: number,
  onLine: (line: string) => void,
): { push(text: string): void; end(): void } {
  let rest = ''

  function add(text: string): void {
    rest += text
    // One extra character is allowed, because it can be the `\r` of a line end.
    while (rest.length > maxLineChars + 1) cutPiece()
  }

  function cutPiece(): void {
    const length = /[\uD800-\uDBFF\r]/.test(rest.charAt(maxLineChars - 1)) ? maxLineChars - 1 : maxLineChars
    const piece = rest.slice(0, length)
    rest = rest.slice(length)
    onLine(piece + continuedMark)
  }

  function emit(): void {
    while (rest.length > maxLineChars) cutPiece()
    const line = rest
    rest = ''
    onLine(line)
  }

  return {
    push(text) {
      let start = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
        add(text.slice(start, at))
        if (rest.endsWith('\r')) rest = rest.slice(0, -1)
        emit()
        start = at + 1
      }
      add(text.slice(start))
    },
    end() {
      if (rest !== '') emit()
    },
  }
}

/** Calls `onLine` for each line of UTF-8 text, until `onLine` returns `false`. */
export function readLines(socket: Socket, onLine: (line: string) => unknown): void {
  let isOver = false
  const lines = createLineSplitter(Infinity, (line) => {
    if (isOver || onLine(line) !== false) return
    isOver = true
    socket.off('data', lines.push)
  })
  // Decodes characters correctly even if their bytes arrive in two chunks.
  socket.setEncoding('utf8').on('data', lines.push)
}
