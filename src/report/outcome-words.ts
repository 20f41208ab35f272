import type { Outcome } from '../verdict/verdict.ts'
import { markup, type Html } from './html.ts'

/** How an outcome is told. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
}

/** An outcome as a word in its color: no color alone says it. */
export function outcomeLabel(outcome: Outcome): Html {
  return markup`<span class="label ${outcome}">${outcomeWords[outcome]}</span>`
}

/** Seconds, minutes from a hundred on. */
export function formatTime(durationMs: number): string {
  if (durationMs < 100_000) return `${(durationMs / 1000).toFixed(1)} s`
  return `${Math.floor(durationMs / 60_000)} min ${Math.round((durationMs % 60_000) / 1000)} s`
}
