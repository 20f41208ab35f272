import { join } from 'node:path'
import type { RunnerCommand, Runner } from '../runner.ts'
import type { TestRunLimits } from './test-run.ts'
import { reportFiles, type Report } from './report.ts'
import { type CommandResult, runInTrees, type ProgramContext } from '../../system/process/run-command.ts'

interface RunnerStart {
  readonly limits: TestRunLimits
  readonly report: Report
  readonly capture: OutputCapture
}

type RunnerEnd = Pick<CommandResult, 'end' | 'durationMs' | 'rawLogError'>

const graceMs = 250

/** Beyond that a line says nothing to anybody (UTF-16 units). */
const maxLineChars = 16 * 1024

export async function startRunner(
  { argv, env }: RunnerCommand,
  { limits, report, capture }: RunnerStart,
  context: TestRunContext,
): Promise<RunnerEnd> {
  const { root, trees, runMark, redactor, signal } = context
  const { timeoutMs, noOutputTimeoutMs } = limits
  return await runInTrees(
    { argv, cwd: root, env: { ...testEnvironment(context.env), ...env } },
    {
      trees,
      hardTimeoutMs: timeoutMs,
      silenceTimeoutMs: noOutputTimeoutMs,
      graceMs,
      runMark,
      signal,
      rawLogFile: join(report.path, reportFiles.rawLog),
      rawLogGround: report.ground,
      redactor,
      maxLineChars,
      onLine: capture.onLine,
    },
  )
}

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

/** Lines are stored many at a time: an output at full speed may have millions of short ones in a second. */
const maxPendingChars = 64 * 1024

/**
 * Keeps lines as bytes in one place: as texts, an output at full speed would be garbage faster than it is collected.
 *
 * @param maxBytes how much is kept, from 1
 */
export function createOutputTail(maxBytes: number): OutputTail {
  // More than that, so that it is moved once for many lines. Unused, it takes no memory.
  const bytes = Buffer.alloc(Math.ceil(1.5 * maxBytes))
  let end = 0
  let totalBytes = 0
  let pending: string[] = []
  let pendingChars = 0
  function store(): void {
    if (pending.length === 0) return
    append(`${pending.join('\n')}\n`)
    pending = []
    pendingChars = 0
  }
  function append(text: string): void {
    const length = Buffer.byteLength(text)
    totalBytes += length
    if (length > maxBytes) {
      Buffer.from(text).copy(bytes, 0, length - maxBytes)
      end = maxBytes
      return
    }
    if (end + length > bytes.length) {
      const kept = Math.min(end, maxBytes - length)
      bytes.copyWithin(0, end - kept, end)
      end = kept
    }
    end += bytes.write(text, end)
  }
  return {
    add(line) {
      pending.push(line)
      pendingChars += line.length + 1
      if (pendingChars >= maxPendingChars) store()
    },
    get text() {
      store()
      return bytes.toString('utf8', firstCharacter(bytes, Math.max(0, end - maxBytes)), end)
    },
    get totalBytes() {
      store()
      return totalBytes
    },
  }
}

function firstCharacter(bytes: Buffer, start: number): number {
  let at = start
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  return at
}

const maxReadBytes = { stdout: 4 * 1024 * 1024, stderr: 512 * 1024 } as const // one for each stream

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
