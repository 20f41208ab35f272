import { createOutputTail, type OutputTail } from './output-tail.ts'

/** How much of the end of each stream result readers get. */
const maxReadBytes = { stdout: 4 * 1024 * 1024, stderr: 512 * 1024 } as const // one for each stream

/** What is kept of the output while it comes. */
export interface Hearing {
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  readonly both: OutputTail
  hear(stream: 'stdout' | 'stderr', line: string): void
}

/** @param maxOutputBytes how much of the end of both streams together */
export function createHearing(maxOutputBytes: number, onLine?: (line: string) => void): Hearing {
  const tails = { stdout: createOutputTail(maxReadBytes.stdout), stderr: createOutputTail(maxReadBytes.stderr) }
  const both = createOutputTail(maxOutputBytes)
  return {
    ...tails,
    both,
    hear(stream, line) {
      tails[stream].add(line)
      both.add(line)
      onLine?.(line)
    },
  }
}
