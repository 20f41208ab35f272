import type { Runner } from '../runner.ts'
import { createOutputTail, type OutputTail } from './output-tail.ts'

/** How much of the end of each stream result readers get. */
const maxReadBytes = { stdout: 4 * 1024 * 1024, stderr: 512 * 1024 } as const // one for each stream

/** What is kept of the output while it comes. */
export interface Hearing {
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  /** Both, as people would read them. */
  readonly both: OutputTail
  hear(stream: 'stdout' | 'stderr', line: string): void
}

interface HearingOptions {
  /** How much of the end of both streams together. */
  readonly maxOutputBytes: number
  /** What of a line of standard output is kept for people, in `both`. */
  readonly showLine?: Runner['showLine'] | undefined
  readonly onLine?: ((line: string) => void) | undefined
}

export function createHearing({ maxOutputBytes, showLine, onLine }: HearingOptions): Hearing {
  const tails = { stdout: createOutputTail(maxReadBytes.stdout), stderr: createOutputTail(maxReadBytes.stderr) }
  const both = createOutputTail(maxOutputBytes)
  return {
    ...tails,
    both,
    hear(stream, line) {
      tails[stream].add(line)
      const shown = stream === 'stdout' && showLine !== undefined ? showLine(line) : line
      if (shown === undefined) return
      both.add(shown)
      onLine?.(shown)
    },
  }
}
