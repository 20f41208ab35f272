import { z } from 'zod'
import { leftOutSchema } from '../attempt/changes/judge-changes.ts'
import type { GateRun, GateRuns } from './run-gates.ts'

const maxOutputCharacters = 500

const evidence = z.object({
  status: z.enum(['pass', 'fail', 'skipped']).describe('`skipped`: no command is configured.'),
  command: z.string().nullable().default(null).describe('As it was run; null where there is none.'),
  exit_code: z
    .int()
    .nullable()
    .default(null)
    .describe('null where the command did not come to its end, or there is none.'),
  output: z
    .string()
    .default('')
    .describe(`The first ${maxOutputCharacters} characters of what it printed, without secrets.`),
})

const count = z.int().min(0).nullable().default(null).describe('As read from the output; null where it does not tell.')

const fixAttempt = z.object({
  what_failed: z.string(),
  fix_applied: z.string().describe('What the agent says that it did, and the files that changed.'),
  result: z
    .enum(['pass', 'fail', 'rejected', 'error'])
    .describe(
      'Of all gates, run again. `rejected`: it changed tests or gates, and was undone. `error`: the agent gave no answer.',
    ),
  changed: z.array(z.string()).default([]).describe('Paths of the changes that were judged.'),
  left_out: z
    .array(leftOutSchema)
    .default([])
    .describe('Changes that were not: they are not among the sources of the product. `--may-change` lets them count.'),
})

const testEvidence = evidence.extend({
  pass_count: count,
  fail_count: count,
  failing_tests: z.array(z.string()).default([]).describe('Names.'),
  attempts: z.int().min(0).default(1).describe('How often the command was run.'),
  fix_attempts: z.array(fixAttempt).default([]).describe('Attempts to fix any of the gates.'),
  concerns: z.array(z.string()).exactOptional().describe('What a person should look at although it is a pass.'),
})

/** What `gate_results.json` holds and `--json` prints, with all fields. Evidence of others may lack some: `verifyEvidence` judges it. */
export const gateResultsSchema = z.object({
  gate_results: z.object({
    compile: evidence.optional(),
    lint: evidence.optional(),
    test: testEvidence.optional(),
  }),
})

export type GateResults = z.infer<typeof gateResultsSchema>
/** The evidence that we make: no gate is missing. */
export interface CompleteResults {
  readonly compile: GateEvidence
  readonly lint: GateEvidence
  readonly test: TestEvidence
}
export type GateEvidence = z.infer<typeof evidence>
export type TestEvidence = z.infer<typeof testEvidence>
export type FixAttempt = z.infer<typeof fixAttempt>

function cutOutput(output: string): string {
  const characters = Array.from(output.slice(0, 2 * maxOutputCharacters))
  return characters.slice(0, maxOutputCharacters).join('')
}

interface Outcome {
  readonly runs: GateRuns
  readonly attempts: number
  readonly fixAttempts: readonly FixAttempt[]
}

export function toGateResults({ runs, attempts, fixAttempts }: Outcome): CompleteResults {
  const counts = runs.test?.results.counts ?? null
  const { concerns = [] } = runs.test ?? {}
  return {
    compile: toEvidence(runs.compile),
    lint: toEvidence(runs.lint),
    test: {
      ...toEvidence(runs.test),
      pass_count: counts?.passed ?? null,
      fail_count: counts?.failed ?? null,
      failing_tests: namesOf(runs.test),
      attempts: runs.test === undefined ? 0 : attempts,
      fix_attempts: [...fixAttempts],
      ...(concerns.length > 0 && { concerns: [...concerns] }),
    },
  }
}

function toEvidence(run: GateRun | undefined): GateEvidence {
  if (run === undefined) return { status: 'skipped', command: null, exit_code: null, output: '' }
  // What the exit code does not say has to be in the evidence, too.
  const reason = run.reason === undefined ? '' : `mdtest: ${run.reason}\n`
  return {
    status: run.isPass ? 'pass' : 'fail',
    command: run.command,
    exit_code: run.exitCode,
    output: cutOutput(`${reason}${run.head}`),
  }
}

function namesOf(run: GateRun | undefined): string[] {
  return [...new Set(run?.results.failingTests.map(({ name }) => name))]
}
