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
