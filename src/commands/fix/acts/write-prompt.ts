import { askRole } from './ask-role.ts'
import type { ActContext } from '../loop/fix-context.ts'
import type { FinishedAct } from '../session/history.ts'
import { formatImplementerPrompt, promptFacts, type ImplementerPrompt, type PromptFacts } from './implementer-prompt.ts'
import { acceptedResults } from '../session/test-results.ts'
import { z } from 'zod'

export const promptFile = 'artifacts/implementer_prompt.json'

/** Writes the prompt of the next attempt: by a rule, and with a prompt writer's task where a rule has not helped. */
export async function writePrompt(context: ActContext): Promise<FinishedAct> {
  const { state, store, progress } = context
  const facts = promptFacts(state, await acceptedResults(context))
  const task = needsPromptWriter(context) ? await askWriter(context, facts) : undefined
  const prompt: ImplementerPrompt = {
    attempt: progress.attempts + 1,
    written_by: task === undefined ? 'rule' : 'prompt-writer',
    ...facts,
    prompt: formatImplementerPrompt(facts, {
      allowTestEdits: state.settings.allowTestEdits,
      ...(task !== undefined && { task }),
    }),
  }
  store.write(promptFile, prompt)
  store.write(`artifacts/attempts/${prompt.attempt}/implementer_prompt.json`, prompt)
  return { kind: 'prompt-written' }
}

/** Where single tests are not known, or at the beginning of a session whose forerunner was stuck. */
export function needsPromptWriter({ state, progress }: Pick<ActContext, 'state' | 'progress'>): boolean {
  const last = state.history.at(-1)
  const isAfterStuck = last?.kind === 'session-started' && last.reason === 'stuck'
  return progress.runner === null || isAfterStuck
}

/** Without an answer the rule alone has to do. */
async function askWriter(
  context: ActContext,
  facts: Parameters<typeof promptWriterPrompt>[0],
): Promise<string | undefined> {
  const question = { role: 'prompt-writer', prompt: promptWriterPrompt(facts), schema: promptWriterSchema } as const // a role
  const answer = await askRole(question, context)
  if (!answer.ok) return undefined
  const { task, focus, avoid } = answer.value
  const list = (title: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${title}\n${items.map((item) => `- ${item}`).join('\n')}`]
  return [task, ...list('Begin with:', focus), ...list('Did not help:', avoid)].join('\n\n')
}

/** What a prompt writer answers. */
export const promptWriterSchema = z.strictObject({
  /** What the implementer is to do, in full. */
  task: z.string().min(1),
  /** Files to begin with. */
  focus: z.array(z.string()),
  /** What was tried and did not help. */
  avoid: z.array(z.string()),
})

/** Asks for the task of the next implementer. */
function promptWriterPrompt(facts: PromptFacts): string {
  return `You write the task for a programmer who has to make failing tests of this project pass. Read what you need of the
project, but change nothing. Say what most likely is wrong and where, what to do first, and what was tried and did not help.
The programmer may not change tests, specs, snapshots or the configuration of tests.

What is known, as JSON:

${JSON.stringify(facts, undefined, 2)}`
}
