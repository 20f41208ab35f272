import { expectedLines } from '../../blocks/expected-output/output-lines.ts'
import { seenLines } from '../browser/page-lines.ts'
import type { Block } from '../spec.ts'

/** The output that a block expects. Assertions in code do not count, except `see('…')` in a browser block. */
export function expectationsOf(
  block: Block,
): readonly { readonly line: number; readonly lines: readonly string[]; readonly exitCode?: number }[] {
  switch (block.kind) {
    case 'console':
      return block.commands.map(({ line, command, expected, exitCode }) => ({
        line: line + command.split('\n').length,
        lines: expected,
        ...(exitCode !== 0 && { exitCode }),
      }))
    case 'script':
      return block.expected.map(({ line, text }) => ({ line, lines: expectedLines(text) }))
    case 'browser':
      return seenLines(block.code).map(({ index, text }) => ({ line: block.codeLine + index, lines: [text] }))
    case 'module':
    case 'file':
      return []
    default:
      return block satisfies never
  }
}
