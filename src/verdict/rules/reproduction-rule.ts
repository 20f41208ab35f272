import { isFailed } from './block-rules.ts'
import { fail, type JudgedStep, type Rule } from './rule.ts'
import type { ReproductionProblem } from '../verdict.ts'

/**
 * What is known of a step that has to be repeated without the agent: nothing where none has to, or a block alone decides.
 * Fail-closed: an agent's step of which nothing was said was not repeated.
 */
export function reproductionOf({
  step,
  evidence,
}: Pick<JudgedStep, 'step' | 'evidence'>): 'pending' | 'reproduced' | ReproductionProblem | undefined {
  const { reproduction } = evidence
  if (reproduction === undefined) return undefined
  // A failure that is expected, and that a block shows.
  if (step.isExpectedToFail && step.blocks.some(isFailed)) return undefined
  const found =
    reproduction.steps && Object.hasOwn(reproduction.steps, step.id) ? reproduction.steps[step.id] : undefined
  if (found !== undefined) return found
  if (step.actor !== 'agent') return undefined
  if (reproduction.steps === undefined) return 'pending'
  return { ...step, message: 'It was not repeated, because a step before it could not be, or because the run ended.' }
}

/** Why a step could not be repeated; `undefined` where it was, or nobody has tried yet. */
export function problemOf(judged: Pick<JudgedStep, 'step' | 'evidence'>): ReproductionProblem | undefined {
  const found = reproductionOf(judged)
  return typeof found === 'object' ? found : undefined
}

/** A pass that mdtest itself had to see again, without the agent, and did not. */
export const notReproduced: Rule = (judged) => {
  const problem = problemOf(judged)
  if (problem === undefined || judged.evidence.reproduction?.isRequired !== true) return []
  return [fail('NOT_REPRODUCED', problem.message, problem)]
}
