import type { Outcome } from '../../records/outcome.ts'
import { outcomeWords, toneWords, type Tone } from '../tones.ts'
import { markup, type Html } from './html.ts'

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
