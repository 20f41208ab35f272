import { z } from 'zod'
import { describeLeftOut } from '../../attempt/changes/judge-changes.ts'
import { attemptSchema, attemptsOf, type Attempt } from '../session/attempts.ts'
import type { SessionState } from '../session/session-state.ts'
import { formatFailure, shortenFailure, failureSchema, type TestResults } from '../session/test-results.ts'
const promptFactsSchema = z.object({
  feature: z.string(),
  scope: z.string().nullable(),
  docs: z.array(z.string()),
  failing_tests: z.array(failureSchema),
  total_tests: z.int().min(0),
  tried: z.array(attemptSchema),
  /** The latest of what was summed up, if anything was. */
  summary: z.string().nullable(),
})

/** `implementer_prompt.json`. */
export const implementerPromptSchema = promptFactsSchema.extend({
  /** From 1. */
  attempt: z.int().min(1),
  /** By whom the task was written. */
  written_by: z.enum(['rule', 'prompt-writer']),
  /** What the implementer gets. */
  prompt: z.string(),
})

/** All that is known when a prompt is written. */
export type PromptFacts = z.infer<typeof promptFactsSchema>
export type ImplementerPrompt = z.infer<typeof implementerPromptSchema>

const maxShownFailures = 20
const maxShownAttempts = 10

/** What is known of a session. Pure. */
export function promptFacts(state: SessionState, results: TestResults): PromptFacts {
  const { feature, settings, history } = state
  return {
    feature,
    scope: settings.scope,
    docs: settings.docs,
    failing_tests: results.failing.slice(0, maxShownFailures).map(shortenFailure),
    total_tests: results.total,
    tried: attemptsOf(history).slice(-maxShownAttempts),
    summary: state.state.summaries.at(-1)?.text ?? null,
  }
}

/** The prompt of an attempt, by a rule. `task` is what a prompt writer wrote. Pure. */
export function formatImplementerPrompt(facts: PromptFacts, { allowTestEdits, task }: PromptOptions): string {
  const { feature, docs, failing_tests: failing, total_tests: total, tried, summary } = facts
  return [
    `# Make failing tests pass: ${feature}`,
    `${failing.length} of ${total} tests fail in this project. Find out why, and change the code so that they pass and all others still do.`,
    ...(task === undefined ? [] : [`## Task\n\n${task}`]),
    ...(docs.length === 0 ? [] : [`Read first: ${docs.map((path) => `\`${path}\``).join(', ')}`]),
    `## Failing tests\n\n${failing.map(formatFailure).join('\n\n')}`,
    ...(summary === null ? [] : [`## What is known\n\n${summary}`]),
    ...(tried.length === 0 ? [] : [`## What was tried\n\n${tried.map(formatAttempt).join('\n')}`]),
    `## Rules\n\n${rules(allowTestEdits)
      .map((rule) => `- ${rule}`)
      .join('\n')}`,
  ].join('\n\n')
}

interface PromptOptions {
  readonly allowTestEdits: boolean
  readonly task?: string
}

function rules(allowTestEdits: boolean): readonly string[] {
  return [
    ...(allowTestEdits
      ? []
      : [
          'Do not change, delete, skip or weaken tests, specs, snapshots or the configuration of tests and gates: an attempt that does is undone.',
          'Only sources of the product and new files beside them count: other changes are left out. Where a fix cannot do without, say so: a person can permit them with `--may-change GLOB`.',
        ]),
    'Fix the cause. Do not special-case what the tests happen to check.',
    'A change that makes another test fail is undone.',
    'Do not commit, and do not touch git: the work tree is all that counts.',
    'The tests are run after you end; what you say is not believed without them.',
    'Where you cannot go on because of a limit that is not yours, answer with the status `waiting`.',
  ]
}

function formatAttempt({
  attempt,
  summary,
  changed_files: changedFiles,
  left_out: leftOut = [],
  verdict,
}: Attempt): string {
  const files = changedFiles.length === 0 ? 'no file' : changedFiles.map((file) => `\`${file}\``).join(', ')
  const left = leftOut.length === 0 ? '' : ` Left out: ${describeLeftOut(leftOut)}.`
  return `${attempt}. ${summary.replaceAll(/\s+/g, ' ')} Changed: ${files}.${left} ${verdict ?? ''}`
}
