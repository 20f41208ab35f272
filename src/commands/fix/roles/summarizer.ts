import { z } from 'zod'
import type { PromptFacts } from './implementer-prompt.ts'

/** `summary.json`: what the next implementer has to know. */
export const summarizerSchema = z.strictObject({
  summary: z.string().min(1),
  /** Why tests fail, as far as is known. */
  reasons: z.array(z.string()),
  /** Expected and received values that show it. */
  examples: z.array(z.string()),
})

/** Asks for a summary of the history. */
export function summarizerPrompt(facts: PromptFacts): string {
  return `You sum up the work on failing tests of this project, for a programmer who goes on with it and knows nothing of it.
Change nothing. Say in few words why the tests fail, with the values that show it, what was tried, what each attempt came
to, and what has not been looked at. Keep every fact that is needed and nothing else.

What is known, as JSON:

${JSON.stringify(facts, undefined, 2)}`
}
