import type { Runner, RunnerCommand } from '../runner.ts'
import type { ProgramContext } from '../../system/process/run-command.ts'
import { lastBytes } from './make-excerpt.ts'

/** Nobody answers or watches, without colors. A runner that we run inside of must not be taken for theirs. */
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

/** Lines are stored many at a time: an output at full speed may have millions of short ones in a second. */
const maxPendingChars = 64 * 1024

export function createOutputTail(maxBytes: number): OutputTail {
  const chunks: Buffer[] = []
  let keptBytes = 0
  let totalBytes = 0
  let pending = ''
  function store(): void {
    const chunk = Buffer.from(pending)
    pending = ''
    chunks.push(chunk)
    keptBytes += chunk.length
    totalBytes += chunk.length
    for (let first = chunks[0]; first && keptBytes - first.length >= maxBytes; [first] = chunks) {
      keptBytes -= first.length
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
