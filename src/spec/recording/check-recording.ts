import { expectedLines } from '../../blocks/expected-output/output-lines.ts'
import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import type { Times } from '../../blocks/expected-output/parse-line.ts'
import type { TemplatePart } from '../../blocks/expected-output/parse-template.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, Place } from '../spec.ts'

/** What git leaves where two branches changed the same lines; nothing else of the text can be relied on then. */
export function findConflict(text: string): Place | undefined {
  const lines = text.split(/\r\n?|\n/)
  const marks = [/^<{7}(?: |$)/, /^={7}$/, /^>{7}(?: |$)/]
  let from = 0
  const found = marks.map((mark) => {
    const index = lines.findIndex((line, at) => at >= from && mark.test(line))
    from = index === -1 ? lines.length : index + 1
    return index
  })
  return found.includes(-1) ? undefined : { line: (found[0] ?? 0) + 1, column: 1 }
}

/** Reports a recorded step whose replay would prove nothing, and patterns that cannot be read. */
export function checkRecordedBlocks(blocks: readonly Block[], { heading, report }: CheckContext): void {
  const expectations = blocks.flatMap(expectationsOf)
  for (const { line, lines } of expectations) {
    for (const problem of parseExpected(lines).problems) {
      report('bad-pattern', { line: line + problem.line, column: problem.index + 1 }, problem.message)
    }
  }
  if (blocks.length === 0) {
    report('recording-blocks', heading, 'The step holds no block, so its replay would prove nothing.')
  } else if (!expectations.some(({ lines }) => lines.some(isTelling))) {
    const message =
      'Whatever the product prints, a replay of this step would pass: no line of output is expected but `...` and the like. Write lines that it has to print, or record the step again with `mdtest record`.'
    report('recording-blocks', heading, message)
  }
  for (const block of blocks) {
    if (block.attributes.skip === true)
      report('recording-blocks', block, 'A block of a recording cannot be skipped: the step would pass without it.')
  }
}

interface CheckContext {
  /** Of the step. */
  readonly heading: Place
  readonly report: Report
}

interface Expectation {
  /** Markdown line of the first one. */
  readonly line: number
  readonly lines: readonly string[]
}

function expectationsOf(block: Block): readonly Expectation[] {
  switch (block.kind) {
    case 'console':
      return block.commands.map(({ line, command, expected }) => ({
        line: line + command.split('\n').length,
        lines: expected,
      }))
    case 'script':
      return block.expected.map(({ line, text }) => ({ line, lines: expectedLines(text) }))
    case 'browser':
      return block.lines.flatMap((one) => (one.kind === 'see' ? [{ line: one.line, lines: [one.text] }] : []))
    case 'module':
    case 'file':
      return []
    default:
      return block satisfies never
  }
}

/** Two lines that nothing but a pattern for anything has in common. */
const anyLines = ['\u2042 Qz', '7']

/** Whether a line of expected output says what has to be printed. */
function isTelling(line: string): boolean {
  const [pattern] = parseExpected([line]).patterns
  switch (pattern?.kind) {
    case 'text':
      return pattern.text.trim() !== '' && isNeeded(pattern.times)
    case 'regex':
      return isNeeded(pattern.times) && !isForAny(pattern.regex)
    case 'template':
      return pattern.parts.some((part) =>
        part.kind === 'capture' ? !isForAny(new RegExp(`^(?:${part.source})$`, 'su')) : isWord(part),
      )
    default:
      return false
  }
}

function isNeeded(times: Times): boolean {
  return times === 'once' || times === '+'
}

function isForAny(regex: RegExp): boolean {
  return anyLines.every((line) => regex.test(line))
}

function isWord(part: Exclude<TemplatePart, { readonly kind: 'capture' }>): boolean {
  return part.kind === 'recall' || part.text.trim() !== ''
}
