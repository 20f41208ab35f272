/** Formats like `42s`, `1m 05s` or `1h 02m`. */
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
] as const

export function formatDuration(durationMs: number): string {
  const [unit, unitMs] = units.find(([, unitMs]) => durationMs % unitMs === 0) ?? ['ms', 1]
  return `${durationMs / unitMs}${unit}`
}

/** Returns `1 step`, `2 steps`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Returns `2 failed`, or nothing if the count is 0. */
export function counted(count: number, word: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${word}`]
}

/** How a started program ended. */
export type KnownEnd =
  | { readonly reason: 'exit'; readonly exitCode: number }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly reason: 'hard-timeout' | 'silence-timeout'; readonly limitMs: number }
  | { readonly reason: 'canceled' }

/** Returns words such as `was ended by SIGKILL`. @param limit the time limit as text, such as `5m`; default: in ms */
export function describeEnd(end: KnownEnd, limit?: string): string {
  if (end.reason === 'exit') return `ended with exit code ${end.exitCode}`
  if (end.reason === 'signal') return `was ended by ${end.signal}`
  if (end.reason === 'canceled') return 'was canceled and ended'
  const what = end.reason === 'hard-timeout' ? 'took longer than' : 'printed nothing for'
  return `${what} ${limit ?? `${end.limitMs} ms`} and was ended`
}

export function describeExit(exitCode: number): string {
  return describeEnd({ reason: 'exit', exitCode })
}

/** Joins values like `'a', 'b' or 'c'`. */
export function oneOf(values: readonly unknown[], quote: '"' | "'" | '`'): string {
  const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  return either.format(values.map((value) => (typeof value === 'string' ? `${quote}${value}${quote}` : String(value))))
}
