import { z } from 'zod'
import type { AskedRun } from './choose-run.ts'
import { runnerNames } from '../../test-runners/runners.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { TestRunRequest } from '../../test-runners/run/test-run.ts'

/** An hour: no client waits longer for tests. */
const maxMs = 3_600_000

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
  repeat: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .describe('How often to run the same, for tests that fail at times; the answer then has a rate'),
  timeout_ms: z
    .int()
    .min(100)
    .max(maxMs)
    .default(600_000)
    .describe('The run, with `repeat` all of them, is ended after this time, in milliseconds'),
  no_output_timeout_ms: z
    .int()
    .min(100)
    .max(maxMs)
    .default(120_000)
    .describe('The run is ended after this time without output, in milliseconds'),
  max_output_bytes: z
    .int()
    .min(1024)
    .max(1_048_576)
    .default(20_000)
    .describe('How many bytes of the end of the output the excerpt is made from, and its limit'),
  report_dir: z
    .string()
    .optional()
    .describe('Folder for reports, relative to the root of the repository (default: .cache/mdtest/reports)'),
})

type RunTestInput = z.infer<typeof runTestInput>

/** A call of `run_test`. */
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
  const parsed = runTestInput.safeParse(value, { error: describeIssue })
  if (!parsed.success) throw invalid(parsed.error.issues.map(({ path, message }) => withPath(path, message)))
  const { runner, repeat, timeout_ms, no_output_timeout_ms, max_output_bytes, report_dir } = parsed.data
  return {
    runner,
    asked: toScope(parsed.data),
    times: repeat,
    limits: { timeoutMs: timeout_ms, noOutputTimeoutMs: no_output_timeout_ms, maxOutputBytes: max_output_bytes },
    ...(report_dir !== undefined && { reportDir: report_dir }),
  }
}

function toScope({ scope, target }: RunTestInput): AskedRun {
  if (scope !== 'file' && scope !== 'pattern') {
    if (target === undefined) return { scope }
    throw invalid([`\`target\` does not go with scope \`${scope}\`: leave it out, or choose \`file\` or \`pattern\``])
  }
  if (target === undefined) throw invalid([`scope \`${scope}\` needs a \`target\``])
  return { scope, target }
}

function invalid(problems: readonly string[]): MdtestError {
  return new MdtestError('OPTION_INVALID', `Wrong arguments: ${problems.join('; ')}.`)
}

function withPath(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `\`${path.map(String).join('.')}\` ${message}`
}

function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const isWhole = issue.code === 'invalid_type' && issue.expected === 'object'
  if (issue.input === undefined && !isWhole) return 'is missing'
  const got = describeValue(issue.input)
  switch (issue.code) {
    case 'unrecognized_keys':
      return `there is no field ${listOf(issue.keys.map((key) => cut(key)))}; the fields are ${listOf(Object.keys(runTestInput.shape))}`
    case 'invalid_value':
      return `has to be one of ${listOf(issue.values.map(String))}, not ${got}`
    case 'invalid_type':
      return isWhole
        ? `an object is needed, not ${got}`
        : `has to be ${issue.expected === 'string' ? 'a text' : 'a whole number'}, not ${got}`
    case 'too_small':
      return `has to be at least ${issue.minimum}, not ${got}`
    case 'too_big':
      return `has to be at most ${issue.maximum}, not ${got}`
    default:
      return undefined
  }
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function describeValue(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value))
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
