import { join } from 'node:path'
import type { CommandResult } from '../../system/process/run-command.ts'
import { runInTrees, type ProgramContext } from '../../system/process/run-in-trees.ts'
import type { RunnerCommand } from '../runner.ts'
import type { OutputCapture } from './output-tail.ts'
import { reportFiles, type Report } from './reserve-report.ts'
import type { TestRunLimits } from './test-run.ts'

interface RunnerStart {
  readonly limits: TestRunLimits
  readonly report: Report
  readonly capture: OutputCapture
}

type RunnerEnd = Pick<CommandResult, 'end' | 'durationMs' | 'rawLogError'>

/** What the tests may still do after SIGTERM, in milliseconds. */
const graceMs = 250

/** Beyond that a line says nothing to anybody (UTF-16 units). */
const maxLineChars = 16 * 1024

/** Starts a runner and waits until it and all it started are gone. Never throws what keeps it from starting. */
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

/** Where tests are run. */
export interface TestRunContext extends ProgramContext {
  /** Absolute, real path of the repository: the working directory. */
  readonly root: string
  readonly now: () => Date
  /** How many of the newest reports stay in their folder, from 1. */
  readonly keepReports: number
  /** Ends the run; its report is still written. */
  readonly signal?: AbortSignal | undefined
  /** Called for each line of output. */
  readonly onLine?: ((line: string) => void) | undefined
  /** Makes another command of the runner's, for example one of a container. */
  readonly wrap?: ((command: RunnerCommand, resultsDir: string) => RunnerCommand) | undefined
}
