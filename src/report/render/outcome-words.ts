import type { Assurance, Outcome } from '../../records/outcome.ts'
import { markup, type Html } from './html.ts'

/** How an outcome is told. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
}

/** What a result looks like: a pass that nothing but a word backs is no pass like others, and a failure that is expected is none. */
export type Tone = Outcome | 'claimed' | 'expected'

/** The tone of a step, or of a spec with its weakest pass. @param expected what failed, where that is expected */
export function toneOf(outcome: Outcome, assurance: Assurance | undefined, expected?: readonly unknown[]): Tone {
  if (outcome !== 'pass') return outcome
  return expected ? 'expected' : assurance === 'claimed' ? 'claimed' : outcome
}

/** How it is told. */
const toneWords: Readonly<Record<Tone, string>> = {
  ...outcomeWords,
  claimed: 'claimed',
  expected: 'failed as expected',
}

/** A tone as a word in its color. */
export function toneLabel(tone: Tone): Html {
  return markup`<span class="label ${tone}">${toneWords[tone]}</span>`
}

/** An outcome as a word in its color: no color alone says it. */
export function outcomeLabel(outcome: Outcome): Html {
  return markup`<span class="label ${outcome}">${outcomeWords[outcome]}</span>`
}

/** Seconds, minutes from a hundred on, hours from two on. */
export function formatTime(durationMs: number): string {
  if (durationMs < 100_000) return `${(durationMs / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  const minutes = Math.floor(seconds / 60)
  return minutes < 120 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
