import type { Outcome } from '../records/outcome.ts'
import type { EndedStep } from './data/spec-record.ts'

/** How a result looks. A pass without evidence and an expected failure do not look like other passes. */
export type Tone = Outcome | 'claimed' | 'expected'

export const toneWords: Readonly<Record<Tone, string>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  claimed: 'claimed',
  expected: 'failed as expected',
}

export function toneOf({ outcome, assurance, expected }: Pick<EndedStep, 'outcome' | 'assurance' | 'expected'>): Tone {
  if (outcome !== 'pass') return outcome
  return expected ? 'expected' : assurance === 'claimed' ? 'claimed' : outcome
}

/** The tone of the worst step. If all steps passed, the tone of the weakest pass. */
export function toneOfAll(
  outcome: Outcome,
  steps: readonly { readonly outcome: Outcome; readonly tone: Tone }[],
): Tone {
  if (outcome !== 'pass') return outcome
  const passed = steps.filter((step) => step.outcome === 'pass')
  if (passed.length > 0 && passed.every(({ tone }) => tone === 'expected')) return 'expected'
  return passed.some(({ tone }) => tone === 'claimed') ? 'claimed' : outcome
}
