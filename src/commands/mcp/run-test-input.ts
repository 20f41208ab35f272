import { z } from 'zod'
import type { AskedRun } from './choose-run.ts'
import { runnerNames } from '../../test-runners/runners.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { TestRunRequest } from '../../test-runners/run/test-run.ts'

/** An hour: no client waits longer for tests. */
const maxMs = 3_600_000

function wholeNumber(min: number, max: number) {
  return z.int().min(min).max(max)
}

/** What `run_test` takes, as it is told to clients. Ranges hold for whole numbers. */
export const runTestInput = z.strictObject({
  runner: z.enum(runnerNames).describe('The test runner of the project'),
  scope: z
    .enum(['all', 'file', 'pattern', 'failed', 'changed'])
    .describe(
      '`all` tests, those of one test `file`, those whose names match a `pattern`, those that `failed` in the last report, or those that uncommitted changes concern (`changed`). Where the runner has no means for the last two, more is run, and the answer says what',
    ),
  target: z
    .string()
    .optional()
    .describe(
      'For scope `file`: path relative to the root of the repository. For `pattern`: the name as the runner takes it. With no other scope',
    ),
  repeat: wholeNumber(1, 20)
    .default(1)
    .describe('How often to run the same, for tests that fail at times; the answer then has a rate'),
  timeout_ms: wholeNumber(100, maxMs)
    .default(600_000)
    .describe('The run, with `repeat` all of them, is ended after this time, in milliseconds'),
  no_output_timeout_ms: wholeNumber(100, maxMs)
    .default(120_000)
    .describe('The run is ended after this time without output, in milliseconds'),
  max_output_bytes: wholeNumber(1024, 1_048_576)
    .default(20_000)
    .describe('How many bytes of the end of the output the excerpt is made from, and its limit'),
  report_dir: z
    .string()
    .optional()
    .describe('Folder for reports, relative to the root of the repository (default: .cache/mdtest/reports)'),
})

export interface RunTestCall extends Omit<TestRunRequest, 'run'> {
  readonly asked: AskedRun
  /** How often the same is run, from 1. */
  readonly times: number
}

/**
 * Reads the arguments of a call.
 *
 * @throws MdtestError `OPTION_INVALID` that names each wrong field
 */
export function parseRunTestInput(value: unknown): RunTestCall {
  const { data, error } = runTestInput.safeParse(value)
  if (error)
    throw invalid(
      error.issues.map(({ path, message }) => [...path.map((key) => `\`${String(key)}\``), message].join(': ')),
    )
  const { runner, repeat, timeout_ms, no_output_timeout_ms, max_output_bytes, report_dir: reportDir } = data
  return {
    runner,
    asked: toScope(data),
    times: repeat,
    limits: { timeoutMs: timeout_ms, noOutputTimeoutMs: no_output_timeout_ms, maxOutputBytes: max_output_bytes },
    reportDir,
  }
}

function toScope({ scope, target }: z.infer<typeof runTestInput>): AskedRun {
  if (scope !== 'file' && scope !== 'pattern') {
    if (target === undefined) return { scope }
    throw invalid([`\`target\` does not go with scope \`${scope}\`: leave it out, or choose \`file\` or \`pattern\``])
  }
  if (target === undefined) throw invalid([`scope \`${scope}\` needs a \`target\``])
  return { scope, target }
}

function invalid(problems: readonly string[]): MdtestError {
  const fields = Object.keys(runTestInput.shape).map((name) => `\`${name}\``)
  return new MdtestError('OPTION_INVALID', `Wrong arguments: ${problems.join('; ')}.`, {
    hint: `The fields are ${fields.join(', ')}.`,
  })
}
