import type { Runner } from '../runner.ts'

/** The last lines of an output of any length. */
export interface OutputTail {
  add(line: string): void
  /** All of what is kept, each line ended by a line feed; the first one may have lost its beginning. */
  readonly text: string
  /** Of all that was added. */
  readonly totalBytes: number
}

/** Lines are stored many at a time: an output at full speed may have millions of short ones in a second. */
const maxPendingChars = 64 * 1024

/** @param maxBytes how much is kept, from 1 */
export function createOutputTail(maxBytes: number): OutputTail {
  const chunks: Buffer[] = []
  let pending = ''
  let keptBytes = 0
  let totalBytes = 0
  function store(): void {
    const chunk = Buffer.from(pending)
    pending = ''
    chunks.push(chunk)
    keptBytes += chunk.length
    totalBytes += chunk.length
    for (let [oldest] = chunks; oldest && keptBytes - oldest.length >= maxBytes; [oldest] = chunks) {
      keptBytes -= oldest.length
      chunks.shift()
    }
  }
  return {
    add(line) {
      pending += `${line}\n`
      if (pending.length >= maxPendingChars) store()
    },
    get text() {
      store()
      const bytes = Buffer.concat(chunks)
      let start = Math.max(0, bytes.length - maxBytes)
      // A character of several bytes that is cut is left out.
      while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
      return bytes.toString('utf8', start)
    },
    get totalBytes() {
      store()
      return totalBytes
    },
  }
}

/** How much of the end of each stream result readers get. */
const maxReadBytes = { stdout: 4 * 1024 * 1024, stderr: 512 * 1024 } as const // one for each stream

/** What is kept of the output while it comes. */
export interface OutputCapture {
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  /** Both, as people would read them. */
  readonly both: OutputTail
  onLine(stream: 'stdout' | 'stderr', line: string): void
}

interface CaptureOptions {
  /** How much of the end of both streams together. */
  readonly maxOutputBytes: number
  /** What of a line of standard output is kept for people, in `both`. */
  readonly showLine?: Runner['showLine'] | undefined
  readonly onLine?: ((line: string) => void) | undefined
}

export function captureOutput({ maxOutputBytes, showLine, onLine }: CaptureOptions): OutputCapture {
  const tails = { stdout: createOutputTail(maxReadBytes.stdout), stderr: createOutputTail(maxReadBytes.stderr) }
  const both = createOutputTail(maxOutputBytes)
  return {
    ...tails,
    both,
    onLine(stream, line) {
      tails[stream].add(line)
      const shown = stream === 'stdout' && showLine !== undefined ? showLine(line) : line
      if (shown === undefined) return
      both.add(shown)
      onLine?.(shown)
    },
  }
}
