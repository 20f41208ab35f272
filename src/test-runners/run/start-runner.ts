import { join } from 'node:path'
import type { CommandResult } from '../../system/process/run-command.ts'
import { runInTrees } from '../../system/process/run-in-trees.ts'
import type { RunnerCommand } from '../runner.ts'
import type { Hearing } from './hearing.ts'
import { reportFiles, type Report } from './reserve-report.ts'
import type { TestRunContext } from './test-run-context.ts'
import { testEnvironment } from './test-environment.ts'
import type { TestRunLimits } from './test-run.ts'

interface RunnerStart {
  readonly limits: TestRunLimits
  readonly report: Report
  readonly heard: Hearing
}

type RunnerEnd = Pick<CommandResult, 'end' | 'durationMs' | 'rawLogError'>

/** What the tests may still do after SIGTERM, in milliseconds. */
const graceMs = 250

/** Beyond that a line says nothing to anybody (UTF-16 units). */
const maxLineChars = 16 * 1024

/** Starts a runner and waits until it and all it started are gone. Never throws what keeps it from starting. */
export async function startRunner(
  { argv, env }: RunnerCommand,
  { limits, report, heard }: RunnerStart,
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
      onLine: heard.hear,
    },
  )
}
