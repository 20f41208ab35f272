import { maxTimerMs } from '../../system/concurrency.ts'

/** What a duration looks like, for messages. */
export const durationForm = 'a duration above 0 and up to 596h such as `500ms`, `5s`, `3m` or `1h`'

export const durationPattern = /^(\d+)(ms|s|m|h)$/

const msPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Reads a duration such as `10m`: a whole number and one of the units `ms`, `s`, `m`, `h`.
 *
 * @returns milliseconds, 1 to 2 147 483 647; `undefined` for anything else
 */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text)
  const unitMs = msPerUnit[match?.[2] ?? '']
  if (match === null || unitMs === undefined) return undefined
  const durationMs = Number(match[1]) * unitMs
  return durationMs >= 1 && durationMs <= maxTimerMs ? durationMs : undefined
}
