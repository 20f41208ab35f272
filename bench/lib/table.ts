import { at } from './at.ts'
import type { Comparison } from './rounds.ts'

const columns = ['name', 'ours', 'plain', 'result', 'range', 'target', 'verdict', 'note'] as const

export interface Row extends Readonly<Partial<Record<(typeof columns)[number], string>>> {
  readonly name: string
  /** Empty if there is no target */
  readonly verdict?: '' | 'ok' | 'over' | 'skipped' | 'wrong count' | 'broken'
}

/** The limit of a comparison. Set one of both at most. */
export interface Target {
  readonly maxRatio?: number
  readonly maxAddedMs?: number
}

/** The row for a comparison of two things. */
export function timedRow(name: string, result: Comparison, { maxRatio, maxAddedMs }: Target = {}): Row {
  const { oursMs, plainMs, ratio, addedMs } = result
  const isRatio = maxAddedMs === undefined
  const { median, min, max } = isRatio ? ratio : addedMs
  const format = isRatio ? (value: number) => `${value.toFixed(2)}x` : (value: number) => `${signed(value)} ms`
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

/** Formats rows as text in columns. The first line contains the names of the columns. */
export function formatTable(rows: readonly Row[]): string {
  const head = columns.map((column) => (column === 'name' ? 'measure' : column))
  const lines = [head, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => at(line, index).length)))
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(at(widths, index)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function signed(value: number): string {
  const size = Math.abs(value)
  return `${value < 0 ? '-' : '+'}${size.toFixed(size < 10 ? 1 : 0)}`
}

export function formatMs(durationMs: number): string {
  return durationMs < 100 ? `${durationMs.toFixed(1)} ms` : `${durationMs.toFixed(0)} ms`
}
