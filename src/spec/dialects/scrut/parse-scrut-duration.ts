/** What a duration of scrut looks like, for messages. */
export const scrutDurationForm = 'a duration such as `500ms`, `5s` or `1m 30s`'

const msByUnit: Readonly<Record<string, number>> = {
  ...unit(1, ['ms', 'msec', 'millis']),
  ...unit(1000, ['s', 'sec', 'secs', 'second', 'seconds']),
  ...unit(60_000, ['m', 'min', 'mins', 'minute', 'minutes']),
  ...unit(3_600_000, ['h', 'hr', 'hrs', 'hour', 'hours']),
}

// Timers of Node hold 31 bits: a longer delay would fire at once.
const maxTimerMs = 2_147_483_647

/**
 * Reads a duration of one or more parts, such as `1m 30s`.
 *
 * @returns milliseconds, 0 to 2 147 483 647; `undefined` for anything else
 */
export function parseScrutDuration(text: string): number | undefined {
  if (!/^\s*(?:\d+\s*[a-z]+\s*)+$/.test(text)) return undefined
  let sumMs = 0
  for (const [, count, name = ''] of text.matchAll(/(\d+)\s*([a-z]+)/g))
    sumMs += Number(count) * (msByUnit[name] ?? NaN)
  return sumMs <= maxTimerMs ? sumMs : undefined
}

function unit(ms: number, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, ms]))
}
