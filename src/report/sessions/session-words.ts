import type { Outcome } from '../../records/outcome.ts'
import type { SessionRecord, ToldAttempt } from './session-record.ts'

/** What something came to: a word, and the outcome of a step whose color and mark it has. */
export interface Told {
  readonly outcome: Outcome
  readonly word: string
}

/** How a session ended. */
export function sessionOutcome({ result }: Pick<SessionRecord, 'result'>): Told {
  if (result === null) return { outcome: 'skipped', word: 'not over' }
  if (result === 'success') return { outcome: 'pass', word: result }
  // Nothing is said of the code.
  return { outcome: result === 'error' ? 'blocked' : 'fail', word: result }
}

/** What an attempt came to. */
export function attemptOutcome({ fate, failingBefore = 0, failingAfter = 0 }: ToldAttempt): Told {
  if (fate === 'undone') return { outcome: 'fail', word: 'undone' }
  if (fate === 'waited') return { outcome: 'skipped', word: 'waited' }
  if (fate === 'open') return { outcome: 'skipped', word: 'not judged' }
  if (failingAfter < failingBefore) return { outcome: 'pass', word: 'helped' }
  return { outcome: 'skipped', word: 'no progress' }
}

/** The address of an attempt in its session. */
export function attemptAnchor({ attempt }: Pick<ToldAttempt, 'attempt'>): string {
  return `attempt-${attempt}`
}
