import { z } from 'zod'
import { leftOutSchema } from '../../attempt/changes/choose-changes.ts'
import { attemptOutcomes, type FinishedAct } from './history.ts'

/** An attempt and what became of it. */
export const attemptSchema = z.object({
  /** From 1. */
  attempt: z.int().min(1),
  /** Of implementers, from 1. */
  session: z.int().min(1),
  outcome: z.enum(attemptOutcomes),
  summary: z.string(),
  changed_files: z.array(z.string()),
  /** Changes that do not count, with the reason. */
  left_out: z.array(leftOutSchema).optional(),
  /** A sentence; `null` where it is not known yet. */
  verdict: z.string().nullable(),
  /** How many tests failed after it; `null` where it was undone. */
  failing_after: z.int().min(0).nullable(),
})

export type Attempt = z.infer<typeof attemptSchema>

/** All attempts, oldest first. Pure. */
export function attemptsOf(history: readonly FinishedAct[]): readonly Attempt[] {
  const attempts: Attempt[] = []
  let session = 1
  for (const act of history) {
    if (act.kind === 'session-started') session += 1
    if (act.kind === 'attempt-made') {
      const { outcome, summary, changedFiles, leftOut = [] } = act
      const verdict = outcome === 'waiting' ? 'It had to wait.' : null
      attempts.push({
        attempt: attempts.length + 1,
        session,
        outcome,
        summary,
        changed_files: changedFiles,
        ...(leftOut.length > 0 && { left_out: leftOut }),
        verdict,
        failing_after: null,
      })
    }
    const last = attempts.at(-1)
    if (last === undefined) continue
    const told = verdictOf(act)
    if (told !== undefined) attempts[attempts.length - 1] = { ...last, ...told }
  }
  return attempts
}

const undoneBecause = {
  'protected-files': 'It was undone, because it changed what may not be changed',
  'made-worse': 'It was undone, because it made other tests fail',
  'tests-lost': 'It was undone, because tests that ran before were not executed any more',
} as const // literals

function verdictOf(act: FinishedAct): Pick<Attempt, 'verdict' | 'failing_after'> | undefined {
  if (act.kind === 'tests-ran' && act.purpose !== 'baseline') {
    return {
      verdict: `It was kept: ${act.failing.length} of ${act.total} tests fail.`,
      failing_after: act.failing.length,
    }
  }
  if (act.kind !== 'rolled-back') return undefined
  const names = act.names.length === 0 ? '.' : `: ${act.names.map((name) => `\`${name}\``).join(', ')}.`
  return { verdict: `${undoneBecause[act.reason]}${names}`, failing_after: null }
}

/** `implementer_status.json`: what an implementer says of its attempt. It is never believed: the tests say whether it is so. */
export const implementerStatusSchema = z.strictObject({
  status: z.enum(['done', 'no-change', 'waiting']),
  /** What was wrong and what was changed, a few sentences. */
  summary: z.string(),
  root_cause: z.string(),
  changed_files: z.array(z.string()),
})

export type ImplementerStatus = z.infer<typeof implementerStatusSchema>

/** The same as it is asked for, and as `mdtest gate` asks for it: `{ fix_applied }`. */
export const implementerAnswerSchema = z.preprocess((answer) => {
  const { success, data } = z.object({ fix_applied: z.string() }).safeParse(answer)
  return success ? { status: 'done', summary: data.fix_applied, root_cause: '', changed_files: [] } : answer
}, implementerStatusSchema)
