import { randomBytes } from 'node:crypto'
import { runCommand, type CommandResult } from '../exec/run-command.ts'
import type { RunnerCommand } from '../runners/runner.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import type { Hearing } from './hearing.ts'
import type { TestRunContext } from './run-tests.ts'
import { testEnvironment } from './test-environment.ts'
import type { TestRunLimits } from './test-run.ts'

interface RunnerStart {
  readonly limits: TestRunLimits
  /** Absolute path. */
  readonly rawLogFile: string
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
  { limits, rawLogFile, heard }: RunnerStart,
  context: TestRunContext,
): Promise<RunnerEnd> {
  const { root, trees, runMark, redactor, signal } = context
  const { timeoutMs, noOutputTimeoutMs } = limits
  const mark = `mdtest-${randomBytes(8).toString('hex')}`
  let started: number | undefined
  try {
    return await runCommand(
      { argv, cwd: root, env: { ...testEnvironment(context.env), ...env } },
      {
        launcher: await trees.launcher(),
        hardTimeoutMs: timeoutMs,
        silenceTimeoutMs: noOutputTimeoutMs,
        graceMs,
        mark,
        runMark,
        signal,
        rawLogFile,
        redactor,
        maxLineChars,
        onLine: heard.hear,
        onSpawn(pid) {
          started = pid
          trees.add({ pid, mark })
        },
      },
    )
  } catch (error: unknown) {
    if (!(error instanceof MdtestError)) throw error
    return { end: { reason: 'spawn-failed', error }, durationMs: 0 }
  } finally {
    if (started !== undefined) trees.remove(started)
  }
}
