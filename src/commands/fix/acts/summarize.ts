import { z } from 'zod'
import type { ActContext } from '../loop/fix-context.ts'
import type { FinishedAct, FreshStartReason } from '../session/attempts.ts'
import { acceptedResults, formatFailure } from '../session/test-results.ts'
import { askRole } from './ask-role.ts'
import { promptFacts, type PromptFacts } from './write-prompt.ts'

/** `summary.json`: what the next implementer has to know. */
export const summarizerSchema = z.strictObject({
  summary: z.string().min(1),
  reasons: z.array(z.string()),
  examples: z.array(z.string()),
})

/** Sums up for the next implementer: by a rule, and by a summarizer where there is text that a rule cannot read. */
export async function summarize(reason: FreshStartReason, context: ActContext): Promise<FinishedAct> {
  const { state, store, keeper } = context
  const facts = promptFacts(state, acceptedResults(context))
  const written = needsSummarizer(reason, context) ? await askSummarizer(facts, context) : undefined
  const summary = written ?? summaryByRule(facts)
  const version = state.state.summaries.length + 1
  const kept = { version, reason, written_by: written === undefined ? 'rule' : 'summarizer', ...summary }
  store.write('artifacts/summary.json', kept)
  store.write(`artifacts/summaries/${version}.json`, kept)
  keeper.addSummary(summary.summary, reason)
  return { kind: 'summarized', reason }
}

/** A full window has more in it than what tests say; output that no reader knows has to be read. */
export function needsSummarizer(reason: FreshStartReason, { progress }: Pick<ActContext, 'progress'>): boolean {
  return reason === 'context' || progress.runner === null
}

type Summary = z.infer<typeof summarizerSchema>

/** Asked of the implementer itself where its window is full: it alone knows what is in it. */
async function askSummarizer(facts: PromptFacts, context: ActContext): Promise<Summary | undefined> {
  const sessionId = context.state.agent_session_id ?? undefined
  const question = { role: 'summarizer', prompt: summarizerPrompt(facts), schema: summarizerSchema, sessionId } as const // a role
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

What is known, as JSON:

${JSON.stringify(facts, undefined, 2)}`
}
