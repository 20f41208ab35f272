import type { Row } from './table.ts'

/** One measure of `npm run bench`, which gives its rows of the table. */
export type Measure = (options: MeasureOptions) => Promise<readonly Row[]>

export interface MeasureOptions {
  /** How often each pair is run. Default: each measure's own. */
  readonly rounds?: number | undefined
  readonly log: Log
}

/** Prints a line at once, above the table. */
export type Log = (line: string) => void
