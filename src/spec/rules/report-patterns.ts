import { expectationsOf } from '../blocks/expectations-of.ts'
import { type Expected, nameUses, parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import type { Report } from './spec-rules.ts'
import { describeTakenName } from '../../blocks/expected-output/parse-template.ts'
import { inOrder, isLeftOut, lineOf, type Block, type Group, type Located, type Scenario, type Step } from '../spec.ts'

interface Known {
  readonly names: ReadonlySet<string>
  /** Whether an earlier `ts` or browser block can have captured names that are not in `names`. */
  readonly isOpen: boolean
}

/** Reads blocks in the order in which they run, because a block can recall values captured earlier. */
export function reportPatterns({ setup, blocks, children, teardown }: Omit<Scenario, 'ordinal'>, report: Report): void {
  let known = reportBlocks([...(setup?.blocks ?? []), ...blocks], { names: new Set(), isOpen: false }, report)
  for (const child of children) known = reportChild(child, known, report)
  reportBlocks(teardown?.blocks ?? [], known, report)
}

function reportChild(child: Group | Step, before: Known, report: Report): Known {
  // A skipped step captures nothing, and what a table row captures is unknown to later steps.
  const isForgotten = isLeftOut(child) || (child.kind === 'step' && child.example !== undefined)
  let known = before
  if (child.kind === 'group') {
    known = reportBlocks(child.blocks, known, report)
    for (const inner of child.children) known = reportChild(inner, known, report)
  } else known = reportBlocks(inOrder(child.blocks), known, report)
  return isForgotten ? before : known
}

function reportBlocks(blocks: readonly Block[], before: Known, report: Report): Known {
  let known = before
  for (const block of blocks) {
    // A skipped block is not executed, so its patterns do not matter.
    if (block.attributes.skip === true) continue
    const isCode = block.kind === 'module' || block.kind === 'browser'
    known = isCode ? { ...known, isOpen: true } : reportBlock(block, known, report)
  }
  return known
}

function reportBlock(block: Block, known: Known, report: Report): Known {
  const captured = new Set<string>()
  for (const { line, lines, code } of codeAndOutputs(block)) {
    if (code) reportPlaceholders(code, { known, captured, report, block })
    const expected = parseExpected(lines)
    const placeOf = (at: PatternPlace): Located => patternPlace(block, line + at.line, at.index)
    for (const problem of expected.problems) report('bad-pattern', placeOf(problem), problem.message)
    reportNames(expected, { known, captured, report, placeOf })
  }
  return { ...known, names: new Set([...known.names, ...captured]) }
}

type PatternPlace = Pick<Expected['problems'][number], 'line' | 'index'>

/** The place of a pattern. In a table row, filled-in values move the text, so only the block's column is known. */
function patternPlace({ file, column, row }: Block, line: number, index: number): Located {
  return { ...lineOf({ line, file }), column: column + (row === undefined ? index : 0) }
}

interface Names {
  readonly known: Known
  readonly captured: Set<string>
  readonly report: Report
  placeOf(at: PatternPlace): Located
}

function reportNames(expected: Expected, { known, captured, report, placeOf }: Names): void {
  for (const use of nameUses(expected)) {
    const { kind, name } = use
    if (kind === 'recall' && !known.isOpen && !known.names.has(name) && !captured.has(name)) {
      const message = `\`{{${name}}}\` uses a captured value, but nothing that runs before captures \`${name}\`. To capture it here, write a pattern: \`{{${name}:/[0-9]+/}}\`. If the braces are part of the output, end the line with \` (equal)\`.`
      report('unknown-capture', placeOf(use), message)
    }
    if (kind !== 'capture') continue
    if (captured.has(name)) {
      const message = `This block captures \`${name}\` twice. Give one of them another name, or recall it by \`{{${name}}}\`.`
      report('duplicate-capture', placeOf(use), message)
    }
    captured.add(name)
    const taken = describeTakenName(name)
    if (taken !== undefined) report('capture-name', placeOf(use), taken)
  }
}

type Code = Pick<Block, 'code' | 'codeLine'>

/** Reports `{{name}}` in commands: bash could execute filled-in text, so commands get values as variables. */
function reportPlaceholders(
  { code, codeLine }: Code,
  { known, captured, report, block }: Pick<Names, 'known' | 'captured' | 'report'> & { readonly block: Block },
): void {
  for (const [index, text] of code.split('\n').entries()) {
    for (const { 0: whole, 1: name = '', index: at } of text.matchAll(/\{\{ ?([A-Za-z_]\w*) ?\}\}/g)) {
      if (!known.names.has(name) && !captured.has(name)) continue
      const place = patternPlace(block, codeLine + index, at)
      const message = `A command sees what was captured as a variable: write \`"$${name}"\` for \`${whole}\`. Where the braces are for a program, give the capture another name.`
      report('capture-in-command', place, message)
    }
  }
}

function codeAndOutputs(
  block: Block,
): readonly { readonly code?: Code; readonly line: number; readonly lines: readonly string[] }[] {
  if (block.kind === 'script') return [{ code: block, line: block.codeLine, lines: [] }, ...expectationsOf(block)]
  if (block.kind !== 'console') return []
  const written = block.code.split('\n')
  return expectationsOf(block).map(({ line, lines }, index) => {
    const codeLine = block.commands[index]?.line ?? line
    const code = written.slice(codeLine - block.codeLine, line - block.codeLine).join('\n')
    return { code: { code, codeLine }, line, lines }
  })
}
