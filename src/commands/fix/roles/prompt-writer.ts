import { z } from 'zod'
import type { PromptFacts } from './implementer-prompt.ts'

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
export function promptWriterPrompt(facts: PromptFacts): string {
  return `You write the task for a programmer who has to make failing tests of this project pass. Read what you need of the
project, but change nothing. Say what most likely is wrong and where, what to do first, and what was tried and did not help.
The programmer may not change tests, specs, snapshots or the configuration of tests.

What is known, as JSON:

${JSON.stringify(facts, undefined, 2)}`
}
