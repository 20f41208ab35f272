import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import { expectationsOf, isTelling } from '../blocks/expectations-of.ts'
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
