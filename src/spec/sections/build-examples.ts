import type { Section } from './build-sections.ts'
import { buildStep } from './build-step.ts'
import type { StepScope } from './build-step.ts'
import { collectRowProblems } from '../rules/collect-row-problems.ts'
import { createTitleList } from '../markdown/create-title-list.ts'
import { inlineText } from '../markdown/inline-text.ts'
import { createPlaceholders } from './placeholders.ts'
import type { Placeholders } from './placeholders.ts'
import { readExamples } from './read-examples.ts'
import type { ExampleRow } from './read-examples.ts'
import { readOwnContent } from '../markdown/section-content.ts'
import type { Group, Step } from '../spec.ts'

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
