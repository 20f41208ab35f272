import type { Assurance, Outcome } from '../records/outcome.ts'

/** How an outcome is told. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
}

/** What a result looks like: a pass that nothing but a word backs is no pass like others, and a failure that is expected is none. */
export type Tone = Outcome | 'claimed' | 'expected'

/** How it is told. */
export const toneWords: Readonly<Record<Tone, string>> = {
  ...outcomeWords,
  claimed: 'claimed',
  expected: 'failed as expected',
}

/** The tone of a step, or of a spec with its weakest pass. @param expected what failed, where that is expected */
export function toneOf(outcome: Outcome, assurance: Assurance | undefined, expected?: readonly unknown[]): Tone {
  if (outcome !== 'pass') return outcome
  return expected ? 'expected' : assurance === 'claimed' ? 'claimed' : outcome
}
