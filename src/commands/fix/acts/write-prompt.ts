import { z } from 'zod'
import { askRole } from './ask-role.ts'
import type { ActContext } from '../loop/session-keeper.ts'
import {
  attemptSchema,
  attemptsOf,
  describeFiles,
  type FinishedAct,
  type FreshStartReason,
} from '../session/finished-acts.ts'
import type { SessionState } from '../session/session-state.ts'
import { failureSchema, formatFailure, resultsOf, shortenFailure, type TestResults } from '../session/test-results.ts'

export const promptFile = 'artifacts/implementer_prompt.json'

export const implementerPromptSchema = z.object({
  feature: z.string(),
  scope: z.string().nullable(),
  docs: z.array(z.string()),
  failing_tests: z.array(failureSchema),
  total_tests: z.int().min(0),
  tried: z.array(attemptSchema),
  summary: z.string().nullable(),
  attempt: z.int().min(1),
  written_by: z.enum(['rule', 'prompt-writer']),
  prompt: z.string(),
})

type ImplementerPrompt = z.infer<typeof implementerPromptSchema>
export type PromptFacts = Omit<ImplementerPrompt, 'attempt' | 'written_by' | 'prompt'>

export async function writePrompt(context: ActContext): Promise<FinishedAct> {
  const { state, store, progress } = context
  const facts = promptFacts(state, resultsOf(progress.accepted, store))
  const task = needsPromptWriter(context) ? await askWriter(context, facts) : undefined
  const { allow_test_edits: allowTestEdits } = state.settings
  const prompt: ImplementerPrompt = {
    attempt: progress.attempts + 1,
    written_by: task === undefined ? 'rule' : 'prompt-writer',
    ...facts,
    prompt: formatImplementerPrompt(facts, { allowTestEdits, task }),
  }
  store.write(promptFile, prompt)
  store.write(`artifacts/attempts/${prompt.attempt}/implementer_prompt.json`, prompt)
  return { kind: 'prompt-written' }
}

export function needsPromptWriter({ state, progress }: Pick<ActContext, 'state' | 'progress'>): boolean {
  const last = state.history.at(-1)
  const isAfterStuck = last?.kind === 'session-started' && last.reason === 'stuck'
  return progress.runner === null || isAfterStuck
}

const maxShownFailures = 20
const maxShownAttempts = 10

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

export function formatImplementerPrompt(
  facts: PromptFacts,
  { allowTestEdits, task }: { readonly allowTestEdits: boolean; readonly task?: string | undefined },
): string {
  const { feature, docs, failing_tests: failing, total_tests: total, tried, summary } = facts
  const attempts = tried.map(
    (made) => `${made.attempt}. ${made.summary.replaceAll(/\s+/g, ' ')} ${describeFiles(made)}`,
  )
  return [
    `# Make failing tests pass: ${feature}`,
    `${failing.length} of ${total} tests fail in this project. Find out why, and change the code so that they pass and all others still do.`,
    ...(task === undefined ? [] : [`## Task\n\n${task}`]),
    ...(docs.length === 0 ? [] : [`Read first: ${docs.map((path) => `\`${path}\``).join(', ')}`]),
    `## Failing tests\n\n${failing.map(formatFailure).join('\n\n')}`,
    ...(summary === null ? [] : [`## What is known\n\n${summary}`]),
    ...(tried.length === 0 ? [] : [`## What was tried\n\n${attempts.join('\n')}`]),
    `## Rules\n\n${rules(allowTestEdits)
      .map((rule) => `- ${rule}`)
      .join('\n')}`,
  ].join('\n\n')
}

function rules(allowTestEdits: boolean): readonly string[] {
  return [
    ...(allowTestEdits
      ? []
      : [
          'Do not change, delete, skip or weaken tests, specs, snapshots or the configuration of tests and gates: an attempt that does is undone.',
          'Changes of what judges the product are left out. Where a fix cannot do without, say so: a person can permit them with `--may-change GLOB`.',
        ]),
    'Fix the cause. Do not special-case what the tests happen to check.',
    'A change that makes another test fail is undone.',
    'Do not commit, and do not touch git: the work tree is all that counts.',
    'The tests are run after you end; what you say is not believed without them.',
    'Where you cannot go on because of a limit that is not yours, answer with the status `waiting`.',
  ]
}

export const promptWriterSchema = z.object({
  task: z.string().min(1),
  focus: z.array(z.string()),
  avoid: z.array(z.string()),
})

async function askWriter(context: ActContext, facts: PromptFacts): Promise<string | undefined> {
  const question = { role: 'prompt-writer', prompt: promptWriterPrompt(facts), schema: promptWriterSchema } as const
  const answer = await askRole(question, context)
  if (!answer.ok) return undefined
  const { task, focus, avoid } = answer.value
  const list = (title: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${title}\n${items.map((item) => `- ${item}`).join('\n')}`]
  return [task, ...list('Begin with:', focus), ...list('Did not help:', avoid)].join('\n\n')
}

function promptWriterPrompt(facts: PromptFacts): string {
  return `You write the task for a programmer who has to make failing tests of this project pass. Read what you need of the
project, but change nothing. Say what most likely is wrong and where, what to do first, and what was tried and did not help.
The programmer may not change tests, specs, snapshots or the configuration of tests.

${asJson(facts)}`
}

function asJson(facts: PromptFacts): string {
  return `What is known, as JSON:\n\n${JSON.stringify(facts, undefined, 2)}`
}

export const summarizerSchema = z.object({
  summary: z.string().min(1),
  reasons: z.array(z.string()),
  examples: z.array(z.string()),
})

export async function summarize(reason: FreshStartReason, context: ActContext): Promise<FinishedAct> {
  const { state, store, keeper, progress } = context
  const facts = promptFacts(state, resultsOf(progress.accepted, store))
  const written = needsSummarizer(reason, context) ? await askSummarizer(facts, context) : undefined
  const summary = written ?? summaryByRule(facts)
  const version = state.state.summaries.length + 1
  const kept = { version, reason, written_by: written === undefined ? 'rule' : 'summarizer', ...summary }
  store.write('artifacts/summary.json', kept)
  store.write(`artifacts/summaries/${version}.json`, kept)
  keeper.addSummary(summary.summary, reason)
  return { kind: 'summarized', reason }
}

/** Whether an agent writes the summary: if the context was full, or if a script runs the tests. */
export function needsSummarizer(reason: FreshStartReason, { progress }: Pick<ActContext, 'progress'>): boolean {
  return reason === 'context' || progress.runner === null
}

type Summary = z.infer<typeof summarizerSchema>

/** Continues the implementer's session, because only there the agent remembers what it has seen. */
async function askSummarizer(facts: PromptFacts, context: ActContext): Promise<Summary | undefined> {
  const sessionId = context.state.agent_session_id ?? undefined
  const question = { role: 'summarizer', prompt: summarizerPrompt(facts), schema: summarizerSchema, sessionId } as const
  const answer = await askRole(question, context)
  return answer.ok ? answer.value : undefined
}

function summaryByRule({ failing_tests: failing, total_tests: total, tried }: PromptFacts): Summary {
  const attempts = tried.map(({ attempt, summary, verdict }) => `- Attempt ${attempt}: ${summary} ${verdict ?? ''}`)
  return {
    summary: [
      `${failing.length} of ${total} tests fail after ${tried.at(-1)?.attempt ?? 0} attempts.`,
      ...failing.slice(0, 5).map(formatFailure),
      attempts.join('\n'),
    ].join('\n\n'),
    reasons: failing.map(({ message }) => message.split('\n', 1)[0] ?? ''),
    examples: failing.flatMap(({ expected, received }) =>
      expected === undefined && received === undefined ? [] : [`expected ${expected}, received ${received}`],
    ),
  }
}

function summarizerPrompt(facts: PromptFacts): string {
  return `You sum up the work on failing tests of this project, for a programmer who goes on with it and knows nothing of it.
Change nothing. Say in few words why the tests fail, with the values that show it, what was tried, what each attempt came
to, and what has not been looked at. Keep every fact that is needed and nothing else.

${asJson(facts)}`
}
