import type { Section } from './build-sections.ts'
import { buildStep, type StepScope } from './build-step.ts'
import { createTitleList } from './unique-titles.ts'
import { inlineText } from '../markdown/inline-text.ts'
import { createPlaceholders, type Placeholders } from './placeholders.ts'
import { readExamples, type ExampleRow } from './read-examples.ts'
import { readOwnContent } from '../markdown/section-content.ts'
import type { Group, Step, Place } from '../spec.ts'
import type { Report, SpecRuleId } from '../rules/spec-rules.ts'

/**
 * Makes a group of a step with a table under `Examples`, and in it a step of each row. `undefined` where a problem was
 * reported instead.
 *
 * @param uniqueTitle makes the title of the group unique
 */
export function buildExamples(
  section: Section,
  examples: Section,
  { uniqueTitle, ...scope }: StepScope & { uniqueTitle(title: string): string },
): Group | undefined {
  const rows = readExamples(examples, templateOf(section, scope.text), scope)
  const [first] = rows
  if (first === undefined) return undefined
  const asWritten = { ...createPlaceholders(first.values), fill: (text: string) => text }
  const title = uniqueTitle(inlineText(section.heading, asWritten))
  const problems = collectRowProblems(scope.report)
  const titles = createTitleList()
  const children = rows.flatMap((row) => {
    const rowScope = { ...scope, placeholders: createPlaceholders(row.values), report: problems.reportOf(row.line) }
    const step = buildRow(section, row, { ...rowScope, uniqueTitle: titles.add })
    return step === undefined ? [] : [{ ...step, example: { title, values: row.values } }]
  })
  problems.reportAll()
  if (children.length === 0) {
    const message = 'No agent acts here and the step has no block, so its rows would test nothing. Add a block.'
    scope.report('examples-misplaced', examples, message)
    return undefined
  }
  const { line, column, endLine } = section
  return { kind: 'group', title, line, column, endLine, directives: {}, blocks: [], children }
}

interface RowScope extends StepScope {
  readonly placeholders: Placeholders
  uniqueTitle(title: string): string
}

function buildRow(section: Section, row: ExampleRow, { uniqueTitle, ...scope }: RowScope): Step | undefined {
  const content = readOwnContent(section.nodes, section, scope)
  const { line, column } = row
  const blocks = content.blocks.map((block) => ({ ...block, row: line }))
  const title = (): string => uniqueTitle(titleOf(section, row, scope.placeholders))
  return buildStep({ ...content, blocks }, { line, column, endLine: line, title }, scope)
}

/** The heading where it has placeholders, else the cells. */
function titleOf({ heading }: Section, { values }: ExampleRow, placeholders: Placeholders): string {
  const plain = inlineText(heading, { ...placeholders, fill: (text) => text })
  const filled = inlineText(heading, placeholders)
  if (filled !== plain) return filled
  const cells = Object.values(values).map((value) => (value === '' ? '""' : value))
  return cells.join(', ').replace(/\s+/g, ' ')
}

/** A step as written, without its comments. */
function templateOf({ heading, nodes }: Section, text: string): string {
  return [heading, ...nodes]
    .map(({ position }) => text.slice(position?.start.offset, position?.end.offset))
    .filter((part) => !part.startsWith('<!--'))
    .join('\n')
}

interface Found {
  readonly ruleId: SpecRuleId
  readonly place: Place
  readonly message: string
  /** Lines of the rows in which it was found. */
  readonly rows: number[]
}

/** Collects what is wrong with a step once for each row of its table, to report it once. */
function collectRowProblems(report: Report): {
  /** Takes note of the problems of one row. */
  reportOf(rowLine: number): Report
  /** Reports each problem, and for which row where the others do not have it. */
  reportAll(): void
} {
  const found = new Map<string, Found>()
  let rowCount = 0
  return {
    reportOf(rowLine) {
      rowCount += 1
      return (ruleId, { line, column }, message) => {
        const key = JSON.stringify([ruleId, line, column, message])
        const problem = found.get(key) ?? { ruleId, place: { line, column }, message, rows: [] }
        found.set(key, problem)
        if (problem.rows.at(-1) !== rowLine) problem.rows.push(rowLine)
      }
    },
    reportAll() {
      for (const { ruleId, place, message, rows } of found.values()) {
        const isOfAll = rows.length === rowCount
        report(ruleId, place, isOfAll ? message : `${message} (With the values of line ${rows.join(', ')}.)`)
      }
    },
  }
}
