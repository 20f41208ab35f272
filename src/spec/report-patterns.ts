import { expectedLines } from '../output/output-lines.ts'
import { type Expected, namesIn, parseExpected } from '../output/parse-expected.ts'
import type { Report } from './spec-rules.ts'
import { lineOf } from './spec.ts'
import type { Block, Group, Located, Scenario, Step } from './spec.ts'

/** Names that have a value; `all`: code may have set any. */
type Known = Set<string> | 'all'

/**
 * Reports patterns of expected output that cannot be read, and names that are used wrongly. A scenario is looked at as
 * a whole and in the order in which its blocks run: what one captures a later one can recall.
 */
export function reportPatterns({ setup, blocks, children, teardown }: Omit<Scenario, 'ordinal'>, report: Report): void {
  let known = reportBlocks(setup?.blocks ?? [], new Set(), report)
  known = reportBlocks(blocks, known, report)
  for (const child of children) known = reportChild(child, known, report)
  reportBlocks(teardown?.blocks ?? [], known, report)
}

function reportChild(child: Group | Step, before: Known, report: Report): Known {
  const isLeftOut = child.directives.skip !== undefined || child.directives.todo === true
  // What is left out may recall, and captures nothing for what comes after it.
  let known = isLeftOut && before !== 'all' ? new Set(before) : before
  if (child.kind === 'group') {
    known = reportBlocks(child.blocks, known, report)
    for (const inner of child.children) known = reportChild(inner, known, report)
  } else {
    const isAfter = ({ role }: Block): boolean => role === 'verify'
    const inOrder = [...child.blocks.filter((block) => !isAfter(block)), ...child.blocks.filter(isAfter)]
    known = reportBlocks(inOrder, known, report)
  }
  return isLeftOut ? before : known
}

function reportBlocks(blocks: readonly Block[], before: Known, report: Report): Known {
  let known = before
  for (const block of blocks) {
    // A skipped block is not executed, so it may hold anything.
    if (block.attributes.skip === true) continue
    known = block.kind === 'module' ? 'all' : reportBlock(block, known, report)
  }
  return known
}

function reportBlock(block: Block, known: Known, report: Report): Known {
  const captured = new Set<string>()
  for (const { line, lines } of expectedOutputs(block)) {
    const expected = parseExpected(lines)
    const placeOf = (at: { readonly line: number; readonly index: number }): Located => ({
      ...lineOf({ line: line + at.line, file: block.file }),
      // With the values of a row a line has other columns than the text, and other ones for each row.
      column: block.column + (block.row === undefined ? at.index : 0),
    })
    for (const problem of expected.problems) report('bad-pattern', placeOf(problem), problem.message)
    reportNames(expected, { known, captured, report, placeOf })
  }
  return known === 'all' ? known : new Set([...known, ...captured])
}

interface Names {
  readonly known: Known
  /** By this block. */
  readonly captured: Set<string>
  readonly report: Report
  placeOf(at: { readonly line: number; readonly index: number }): Located
}

function reportNames(expected: Expected, { known, captured, report, placeOf }: Names): void {
  for (const use of namesIn(expected)) {
    const { kind, name } = use
    if (kind === 'recall' && known !== 'all' && !known.has(name) && !captured.has(name)) {
      report('unknown-capture', placeOf(use), unknownMessage(name))
    }
    if (kind === 'capture' && captured.has(name)) {
      report(
        'duplicate-capture',
        placeOf(use),
        `This block captures \`${name}\` twice. Give one of them another name, or recall it by \`{{${name}}}\`.`,
      )
    }
    if (kind === 'capture') captured.add(name)
  }
}

function unknownMessage(name: string): string {
  return `Nothing that runs before captures \`${name}\`. Capture it by \`{{${name}:/regex/}}\`; where the braces are part of the output, end the line with \` (equal)\`.`
}

interface ExpectedLines {
  readonly line: number
  readonly lines: readonly string[]
}

function expectedOutputs(block: Block): readonly ExpectedLines[] {
  if (block.kind === 'script') return block.expected.map(({ text, line }) => ({ line, lines: expectedLines(text) }))
  if (block.kind !== 'console') return []
  return block.commands.map(({ command, expected, line }) => ({
    line: line + command.split('\n').length,
    lines: expected,
  }))
}
