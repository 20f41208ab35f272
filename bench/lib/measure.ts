import type { Row } from './table.ts'

/** One measure of `npm run bench`. Returns its rows of the table. */
export type Measure = (options: MeasureOptions) => Promise<readonly Row[]>

export interface MeasureOptions {
  /** How often each pair is run. Default: chosen by the measure */
  readonly rounds?: number | undefined
  readonly log: Log
}

/** Prints a line immediately; the table follows at the end. */
export type Log = (line: string) => void
