import { summarizeOutcomes } from '../records/outcome.ts'
import { z } from 'zod'
import { formatCost } from '../records/tokens-and-cost.ts'
import { sumSources } from '../records/step-source.ts'
import { cellSchema, describeCounts, marks, type Cell, type Counts } from './job-results.ts'
import { inHtmlCode } from './outside-text.ts'

/** The results of one job with entries for the reviewer. Each entry is complete markdown. */
export interface WrittenCell extends Cell {
  readonly entries: readonly string[]
  /** Number of entries that did not fit into the comment. */
  readonly hidden: number
}

export const commentMark = '<!-- vitest-mdtest:comment -->'

const markSchema = cellSchema.extend({
  hidden: z.number(),
  /** Length of each entry. The entries follow the mark without anything between them. */
  lengths: z.array(z.number()),
})

const cellMark = /<!-- vitest-mdtest:cell ([\w+/=]+) -->\n/g

/** Reads the cells of a comment by `writeComment`. Ignores what people have changed in the comment. */
export function readCells(body: string): readonly WrittenCell[] {
  const text = body.replaceAll('\r\n', '\n')
  const cells: WrittenCell[] = []
  let from = 0
  for (const match of text.matchAll(cellMark)) {
    // Ignore a mark inside an entry, because a spec or a product wrote it.
    if (match.index < from) continue
    const read = readMark(match[1] ?? '')
    if (read === undefined) continue
    const { lengths, ...cell } = read
    from = match.index + match[0].length
    const entries = lengths.map((length) => text.slice(from, (from += length)))
    cells.push({ ...cell, entries })
  }
  return cells
}

function readMark(encoded: string): z.infer<typeof markSchema> | undefined {
  try {
    return markSchema.parse(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')))
  } catch {
    return undefined
  }
}

/** Adds a cell. It replaces cells with the same name from the same job, or from an earlier run or attempt. */
export function withCell(cells: readonly WrittenCell[], own: WrittenCell): readonly WrittenCell[] {
  const isReplaced = (cell: WrittenCell): boolean =>
    cell.name === own.name && (cell.job === own.job || cell.run < own.run || cell.attempt < own.attempt)
  if (cells.some((cell) => isNewer(cell, own))) return cells
  const others = cells.filter((cell) => !isReplaced(cell))
  return [...others, own].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Whether `one` is from a later run or attempt of the same suite than `other`. */
export function isNewer(one: Cell, other: Cell): boolean {
  return one.name === other.name && (one.run > other.run || (one.run === other.run && one.attempt > other.attempt))
}

/** GitHub refuses longer comments. `length` counts at least as many characters as GitHub does. */
export const maxCharacters = 65_536
const maxOpen = 2

/** Writes one comment for all jobs: first the totals, then the entries of each job. */
export function writeComment(cells: readonly WrittenCell[]): string {
  const runs = Math.max(...cells.map(({ run }) => run))
  const newest = cells.find(({ run }) => run === runs)?.commit
  const current = cells.filter(({ commit }) => commit === newest)
  const head = `${commentMark}\n### Specs\n\n${totalsOf(current)}\n`
  const limits = cells.map(() => Number.POSITIVE_INFINITY)
  for (;;) {
    const parts = cells.map((cell, index) =>
      writeCell(cell, { limit: limits[index] ?? 0, isOpen: cells.length <= maxOpen, newest }),
    )
    const body = [head, ...parts].join('\n')
    if (body.length <= maxCharacters) return body
    // The comment is too long: shorten the longest cell.
    const longest = parts.findIndex(({ length }) => length === Math.max(...parts.map((part) => part.length)))
    const shown = Math.min(limits[longest] ?? 0, cells[longest]?.entries.length ?? 0)
    limits[longest] = Math.floor(shown * 0.9)
    if (shown === 0) return [head, `${cells.length} suites are too many to be shown.`].join('\n')
  }
}

function totalsOf(cells: readonly Cell[]): string {
  const steps = sumSources(cells.map((cell) => cell.steps))
  const outcome = summarizeOutcomes(cells.map((cell) => cell.outcome))
  return `${marks[outcome]} ${describeWhole({ steps, ...sumOf(cells) })}`
}

function sumOf(cells: readonly Cell[]): Pick<Cell, 'wallTimeMs' | 'costUsd'> {
  const costs = cells.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    wallTimeMs: cells.reduce((sum, { wallTimeMs }) => sum + wallTimeMs, 0),
    ...(costs.length > 0 && { costUsd: costs.reduce((sum, one) => sum + one, 0) }),
  }
}

function describeWhole({ steps, wallTimeMs, costUsd }: { readonly steps: Counts } & ReturnType<typeof sumOf>): string {
  const cost = costUsd === undefined ? [] : [formatCost(costUsd)]
  return [describeCounts(steps), `${(wallTimeMs / 1000).toFixed(1)} s`, ...cost].join(' · ')
}

interface Showing {
  /** Maximum number of entries. */
  readonly limit: number
  readonly isOpen: boolean
  readonly newest: string | undefined
}

function writeCell({ entries, ...cell }: WrittenCell, { limit, isOpen, newest }: Showing): string {
  const shown = entries.slice(0, limit)
  const hidden = cell.hidden + entries.length - shown.length
  const more = hidden === 0 ? '' : `\n${hidden} more are not shown here.\n`
  const old =
    cell.commit === newest ? '' : ` (of an older commit, ${inHtmlCode(cell.commit.slice(0, 8))}, and not counted)`
  const facts = { ...cell, hidden, lengths: shown.map(({ length }) => length) }
  const mark = Buffer.from(JSON.stringify(facts)).toString('base64')
  const title = `${marks[cell.outcome]} ${inHtmlCode(cell.name)}${old}: ${describeWhole(cell)}`
  return `<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n\n<!-- vitest-mdtest:cell ${mark} -->\n${shown.join('')}${more}\n</details>\n`
}
