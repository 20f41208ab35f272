import type { Runner, RunnerCommand } from '../runner.ts'
import type { ProgramContext } from '../../system/process/run-command.ts'
import { lastBytes } from './make-excerpt.ts'

/**
 * The environment in which tests run: nobody answers questions or watches, and output has no colors. A test runner
 * that we run inside of must not be taken for theirs.
 */
export function testEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { FORCE_COLOR: _color, NODE_TEST_CONTEXT: _context, ...rest } = env
  return { ...rest, CI: 'true', NO_COLOR: '1' }
}

export interface TestRunContext extends ProgramContext {
  readonly root: string
  readonly now: () => Date
  readonly keepReports: number
  readonly signal?: AbortSignal | undefined
  readonly onLine?: ((line: string) => void) | undefined
  readonly wrap?: ((command: RunnerCommand, resultsDir: string) => RunnerCommand) | undefined
}

export interface OutputTail {
  add(line: string): void
  readonly text: string
  readonly totalBytes: number
}

/** An output at full speed may have millions of short lines in a second: as single texts they would be much garbage. */
const chunkChars = 64 * 1024

/** Keeps the last lines, in at most so many bytes (from 1). */
export function createOutputTail(maxBytes: number): OutputTail {
  const chunks: Buffer[] = []
  let pending: string[] = []
  let pendingChars = 0
  let keptBytes = 0
  let totalBytes = 0
  function store(): void {
    const chunk = Buffer.from(pending.join(''))
    ;[pending, pendingChars] = [[], 0]
    chunks.push(chunk)
    totalBytes += chunk.length
    keptBytes += chunk.length
    for (let [first] = chunks; first && keptBytes - first.length >= maxBytes; [first] = chunks) {
      chunks.shift()
      keptBytes -= first.length
    }
  }
  return {
    add(line) {
      pending.push(line, '\n')
      pendingChars += line.length + 1
      if (pendingChars >= chunkChars) store()
    },
    get text() {
      store()
      return lastBytes(Buffer.concat(chunks), maxBytes)
    },
    get totalBytes() {
      store()
      return totalBytes
    },
  }
}

export interface OutputCapture {
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  readonly both: OutputTail
  onLine(stream: 'stdout' | 'stderr', line: string): void
}

interface CaptureOptions {
  readonly maxOutputBytes: number
  readonly showLine?: Runner['showLine'] | undefined
  readonly onLine?: ((line: string) => void) | undefined
}

export function captureOutput({ maxOutputBytes, showLine, onLine }: CaptureOptions): OutputCapture {
  const tails = { stdout: createOutputTail(4 * 1024 * 1024), stderr: createOutputTail(512 * 1024) }
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
