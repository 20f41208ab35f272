/**
 * A row of the table. `verdict` is `ok`, `over`, `skipped`, `wrong count` or empty where there is no target.
 * @param {string} name
 * @param {Awaited<ReturnType<typeof import('./rounds.ts').runRounds>>} result
 * @param {{ maxRatio?: number, maxAddedMs?: number }} target
 */
export function timedRow(name, { oursMs, plainMs, ratio, addedMs }, { maxRatio, maxAddedMs } = {}) {
  const isRatio = maxAddedMs === undefined
  const { median, min, max } = isRatio ? ratio : addedMs
  const format = isRatio ? (value) => `${value.toFixed(2)}x` : (value) => `${signed(value)} ms`
  const limit = isRatio ? maxRatio : maxAddedMs
  return {
    name,
    ours: formatMs(oursMs),
    plain: formatMs(plainMs),
    result: format(median),
    range: `${format(min)} … ${format(max)}`,
    target: limit === undefined ? '' : isRatio ? `<= ${limit}x` : `<= ${limit} ms`,
    verdict: limit === undefined ? '' : median <= limit ? 'ok' : 'over',
  }
}

const columns = ['name', 'ours', 'plain', 'result', 'range', 'target', 'verdict', 'note']

/** Rows as text in columns; the first line names them. */
export function formatTable(rows) {
  const head = Object.fromEntries(columns.map((column) => [column, column === 'name' ? 'measure' : column]))
  const lines = [head, ...rows].map((row) => columns.map((column) => row[column] ?? ''))
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index].length)))
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function signed(value) {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(0)}`
}

/** @param {number} durationMs */
export function formatMs(durationMs) {
  return durationMs < 100 ? `${durationMs.toFixed(1)} ms` : `${durationMs.toFixed(0)} ms`
}
