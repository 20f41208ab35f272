import type { Outcome } from '../../records/outcome.ts'

/** Outcomes in the order in which a reader wants them. */
export const outcomes = ['fail', 'blocked', 'pass', 'skipped'] as const satisfies readonly Outcome[]

/** `1 spec`, `2 specs`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Seconds, minutes from a hundred on, hours from two on. */
export function formatTime(durationMs: number): string {
  if (durationMs < 100_000) return `${(durationMs / 1000).toFixed(1)} s`
  const minutes = Math.round(durationMs / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** US dollars, small amounts with two figures that say something. */
export function formatCost(costUsd: number): string {
  if (costUsd === 0 || costUsd >= 0.1) return `$${costUsd.toFixed(2)}`
  return `$${costUsd.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
}

/** `950 tokens`, `1.2 M tokens`. */
export function formatTokens(tokens: number): string {
  return `${tokens.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })} tokens`
}

/** A time as the reader's clock has it. */
export function formatInstant(instant: string): string {
  return new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
