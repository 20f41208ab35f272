import { type Section, createUniqueTitle } from './build-sections.ts'
import { buildStep, type StepScope } from './build-step.ts'
import {
  inlineText,
  createPlaceholders,
  type Placeholders,
  placeOf,
  placeholdersIn,
} from '../markdown/positions-and-placeholders.ts'
import { readOwnContent, type Scope } from '../markdown/section-content.ts'
import type { Example, Group, Step, Place } from '../spec.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Table, TableCell, TableRow } from 'mdast'
import { readBody } from '../markdown/read-body.ts'

/** Makes a group of the step, and a step of each row. If no row becomes a step, reports why. */
export function buildExamples(
  section: Section,
  examples: Section,
  { uniqueTitle, ...scope }: StepScope & { uniqueTitle(title: string): string },
): Group | undefined {
  const rows = readExamples(examples, templateOf(section, scope.text), scope)
  const [first] = rows
  if (first === undefined) return undefined
  const title = uniqueTitle(inlineText(section.heading, asWritten(createPlaceholders(first.values))))
  const problems = collectProblems(rows.length)
  const unique = createUniqueTitle()
  const children = rows.flatMap((row): readonly Step[] => {
    const { line, column, values } = row
    const placeholders = createPlaceholders(values)
    const rowScope = { ...scope, placeholders, report: problems.reportOf(line) }
    const content = readOwnContent(section.nodes, section, rowScope)
    const blocks = content.blocks.map((block) => ({ ...block, row: line }))
    const titleOfRow = (): string => unique(rowTitle(section, row, placeholders))
    const step = buildStep({ ...content, blocks }, { line, column, endLine: line, title: titleOfRow }, rowScope)
    return step === undefined ? [] : [{ ...step, example: { title, values } }]
  })
  problems.reportAll(scope.report)
  if (children.length === 0) {
    const message = 'No agent acts here and the step has no block, so its rows would test nothing. Add a block.'
    scope.report('examples-misplaced', examples, message)
    return undefined
  }
  const { line, column, endLine } = section
  return { kind: 'group', title, line, column, endLine, directives: {}, blocks: [], children }
}

function rowTitle({ heading }: Section, { values }: ExampleRow, placeholders: Placeholders): string {
  const filled = inlineText(heading, placeholders)
  if (filled !== inlineText(heading, asWritten(placeholders))) return filled
  const cells = Object.values(values).map((value) => (value === '' ? '""' : value))
  return cells.join(', ').replace(/\s+/g, ' ')
}

function asWritten(placeholders: Placeholders): Placeholders {
  return { ...placeholders, fill: (text) => text }
}

function templateOf({ heading, nodes }: Section, text: string): string {
  return [heading, ...nodes]
    .map(({ position }) => text.slice(position?.start.offset, position?.end.offset))
    .filter((part) => !part.startsWith('<!--'))
    .join('\n')
}

/** Reports a mistake in the step once, although each row finds it again. If only some rows have it, names their lines. */
function collectProblems(rowCount: number) {
  const rowsOf = new Map<string, number[]>()
  return {
    reportOf:
      (row: number): Report =>
      (ruleId, { line, column }, message) => {
        const key = JSON.stringify([ruleId, { line, column }, message])
        const rows = rowsOf.get(key) ?? []
        rowsOf.set(key, rows)
        if (rows.at(-1) !== row) rows.push(row)
      },
    reportAll(report: Report): void {
      for (const [key, rows] of rowsOf) {
        const [ruleId, place, message] = JSON.parse(key) as Parameters<Report> // written above
        const some = rows.length === rowCount ? '' : ` (With the values of line ${rows.join(', ')}.)`
        report(ruleId, place, message + some)
      }
    },
  }
}

type ExampleRow = Place & Pick<Example, 'values'>

/** Limit for the text of all rows of one table, in UTF-16 code units. */
const maxUnrolledLength = 16 * 1024 * 1024

export function isExamples({ title }: Section): boolean {
  return title.toLowerCase() === 'examples'
}

/** Reports an `Examples` table directly in a scenario or a hook, because it belongs below a step. */
export function reportLooseExamples(sections: readonly Section[], { report }: Scope): void {
  for (const section of sections.filter(isExamples)) {
    if (!section.nodes.some(({ type }) => type === 'table')) continue
    const message = 'This table is below no step, so its rows are no tests. Move it below one, or rename the heading.'
    report('examples-misplaced', section, message)
  }
}

/** Returns no row if the table is unusable. `template` is the source of the step, which has to use each column. */
function readExamples(section: Section, template: string, scope: Scope): readonly ExampleRow[] {
  const table = findTable(section, scope)
  if (table === undefined) return []
  const [header, ...rows] = table.children
  const columns = readColumns(header?.children ?? [], template, scope)
  if (rows.length === 0) {
    const message = 'The table has no row below its header, so there would be no test. Write a row for each test.'
    scope.report('examples-content', placeOf(table), message)
  }
  if (rows.length * template.length > maxUnrolledLength) {
    const message = 'The table has too many rows for the length of its step. Split it, or make the step shorter.'
    scope.report('spec-too-large', placeOf(table), message)
    return []
  }
  return columns === undefined ? [] : rows.map((row) => readRow(row, columns, scope))
}

function findTable(section: Section, scope: Scope): Table | undefined {
  const { title, nodes, children } = section
  const [table, ...others] = nodes.filter((node) => node.type === 'table')
  if (table === undefined) {
    const message = `\`${title}\` below a step is for a table with a row for each test, and here is none. Write one, with a line of dashes below its header, or give the heading another name.`
    scope.report('examples-content', section, message)
    return undefined
  }
  for (const other of others) {
    scope.report('examples-content', placeOf(other), 'A step has one table. Put the rows of both into one.')
  }
  for (const node of nodes.filter(({ type }) => type !== 'table')) {
    const item = readBody([node], scope).find(({ kind }) => kind !== 'comment' && kind !== 'break')
    if (item === undefined) continue
    const what = item.kind === 'directive' ? 'A directive is given to the step, for all rows' : 'This is not the table'
    scope.report('examples-content', item, `${what}. Move it above the heading \`Examples\`.`)
  }
  for (const child of children) {
    scope.report('examples-content', child, 'Below `Examples` is a table and no heading. Move this one out.')
  }
  return table
}

function readRow(row: TableRow, columns: readonly string[], scope: Scope): ExampleRow {
  const place = placeOf(row)
  const cells = row.children.map((cell) => valueOf(cell, scope))
  const count = ({ length }: readonly string[]): string => `${length} cell${length === 1 ? '' : 's'}`
  if (cells.length !== columns.length) {
    const message = `The row has ${count(cells)} and the header ${count(columns)}. An empty cell is written out, a \`|\` in a cell as \`\\|\`; text after a table is set off by a blank line.`
    scope.report('examples-row', place, message)
  }
  return { ...place, values: Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])) }
}

/** A cell as written, because test data is full of `*`, `_` and `<`. Backticks around a whole cell are removed. */
function valueOf({ children }: TableCell, { text }: Scope): string {
  const [first] = children
  if (first === undefined) return ''
  if (first.type === 'inlineCode' && children.length === 1) return first.value
  return text.slice(first.position?.start.offset, children.at(-1)?.position?.end.offset).replaceAll('\\|', '|')
}

/** `undefined` if a name is missing or used twice. */
function readColumns(
  header: readonly TableCell[],
  template: string,
  { text, report }: Pick<Scope, 'text' | 'report'>,
): readonly string[] | undefined {
  const columns = header.map((cell) => ({ name: inlineText(cell), ...placeOf(cell.children[0] ?? cell) }))
  const names = columns.map(({ name }) => name)
  const unclear = columns.filter(({ name }, index) => name === '' || names.indexOf(name) < index)
  for (const column of unclear) {
    const what = column.name === '' ? 'A column has no name' : `Two columns are named \`${column.name}\``
    report('examples-column', column, `${what}. Give each column a name of its own, which the step uses.`)
  }
  if (unclear.length > 0) return undefined
  const used = placeholdersIn(template, names)
  for (const column of columns) {
    const { name } = column
    if (!used.has(name)) {
      const message = `The step does not use the column \`${name}\`. Write \`{{${name}}}\` or \`<${name}>\` in it, or take the column out.`
      report('examples-column', column, message)
    } else if (text.includes(`{{${name}:`)) {
      const message = `\`${name}\` is also a capture of this spec, so \`{{${name}}}\` could be either. Give the column another name.`
      report('examples-column', column, message)
    }
  }
  return names
}
