import type { Assurance, Outcome } from '../../records/outcome.ts'
import { markup, type Html } from './html.ts'

/** How an outcome is told. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
}

/** What a result looks like: a pass that nothing but a word backs is no pass like others. */
export type Tone = Outcome | 'claimed'

/** The tone of a step, or of a spec with its weakest pass. */
export function toneOf(outcome: Outcome, assurance: Assurance | undefined): Tone {
  return outcome === 'pass' && assurance === 'claimed' ? 'claimed' : outcome
}

/** A pass on the agent's word alone. */
export const claimedLabel: Html = markup`<span class="label claimed">claimed</span>`

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
