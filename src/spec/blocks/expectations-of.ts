import { expectedLines } from '../../blocks/expected-output/output-lines.ts'
import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import type { Times } from '../../blocks/expected-output/parse-line.ts'
import type { TemplatePart } from '../../blocks/expected-output/parse-template.ts'
import { seenLines } from '../browser/seen-lines.ts'
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

/** Two unrelated lines: a pattern that matches both matches anything. */
const anyLines = ['\u2042 Qz', '7']

export function isTelling(line: string): boolean {
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
