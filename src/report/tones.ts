import type { Assurance, Outcome } from '../records/outcome.ts'

/** How a result looks: a pass that nothing but a word backs is no pass like others, and an expected failure is none. */
export type Tone = Outcome | 'claimed' | 'expected'

export const toneWords: Readonly<Record<Tone, string>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  claimed: 'claimed',
  expected: 'failed as expected',
}

interface Backed {
  readonly outcome: Outcome
  readonly assurance?: Assurance
  readonly expected?: readonly unknown[]
}

export function toneOf({ outcome, assurance, expected }: Backed): Tone {
  if (outcome !== 'pass') return outcome
  return expected ? 'expected' : assurance === 'claimed' ? 'claimed' : outcome
}

/** The tone of several steps: as of the worst, and of passes as of the weakest. */
export function toneOfAll(
  outcome: Outcome,
  steps: readonly { readonly outcome: Outcome; readonly tone: Tone }[],
): Tone {
  if (outcome !== 'pass') return outcome
  const passed = steps.filter((step) => step.outcome === 'pass')
  if (passed.length > 0 && passed.every(({ tone }) => tone === 'expected')) return 'expected'
  return passed.some(({ tone }) => tone === 'claimed') ? 'claimed' : outcome
}
