/** `42s`, `1m 05s`, `1h 02m`. */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds}s`
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const // pairs

/** Writes milliseconds the way front matter does: `10m`, `90s`, `1500ms`. */
export function formatDuration(durationMs: number): string {
  const [unit, unitMs] = units.find(([, unitMs]) => durationMs % unitMs === 0) ?? ['ms', 1]
  return `${durationMs / unitMs}${unit}`
}

/** A count with its word: `1 step`, `2 steps`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
