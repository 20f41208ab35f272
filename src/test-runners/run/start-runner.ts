import type { Runner, RunnerCommand } from '../runner.ts'
import type { ProgramContext } from '../../system/process/run-command.ts'
import { lastBytes } from './make-excerpt.ts'

/** Turns off prompts, watch mode and colors. Removes NODE_TEST_CONTEXT, which `node --test` sets for its children. */
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

/** Lines are joined to batches of this length: a program can print millions of short lines per second. */
const maxPendingChars = 64 * 1024

/** Keeps the last `maxBytes` (at least 1) of output in buffers. Strings would need much more memory. */
export function createOutputTail(maxBytes: number): OutputTail {
  const chunks: Buffer[] = []
  let keptBytes = 0
  let totalBytes = 0
  let pending: string[] = []
  let pendingChars = 0
  function store(): void {
    if (pending.length === 0) return
    const chunk = Buffer.from(`${pending.join('\n')}\n`)
    pending = []
    pendingChars = 0
    totalBytes += chunk.length
    keptBytes += chunk.length
    chunks.push(chunk)
    while (chunks.length > 1 && keptBytes - (chunks[0]?.length ?? 0) >= maxBytes)
      keptBytes -= chunks.shift()?.length ?? 0
  }
  return {
    add(line) {
      pending.push(line)
      pendingChars += line.length + 1
      if (pendingChars >= maxPendingChars) store()
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

interface CaptureOptions extends Pick<TestRunContext, 'onLine'> {
  readonly maxOutputBytes: number
  readonly showLine?: Runner['showLine'] | undefined
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
