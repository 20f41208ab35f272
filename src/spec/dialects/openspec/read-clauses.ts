import type { Check, Place } from '../../spec.ts'
import { clauseKinds, outcomesIn } from '../apart.ts'
import { fencedLines } from './read-requirements.ts'

interface Clause {
  readonly word: string
  readonly text: string
  readonly indent: number
}

/**
 * What a scenario is judged by: each `THEN`, and each `AND` or `BUT` behind one. Lines below such a bullet, and what it is
 * wrapped over, belong to it.
 *
 * @param first line of the first of these lines, counted from 1
 */
export function readChecks(lines: readonly string[], first: number): readonly (Place & Pick<Check, 'text'>)[] {
  const fenced = fencedLines(lines)
  const clauses: { word: string; line: number; column: number; text: string }[] = []
  let indent: number | undefined
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || fenced.has(index)) continue
    const clause = clauseOf(line, indent)
    if (clause === undefined) {
      const last = clauses.at(-1)
      if (last !== undefined) last.text = joined(last.text, line)
      continue
    }
    indent = clause.indent
    clauses.push({ word: clause.word, line: first + index, column: indent + 1, text: plain(clause.text) })
  }
  return outcomesIn(clauses, ({ word }) => clauseKinds.get(word)).map(({ word: _word, ...check }) => check)
}

/**
 * In capitals, or bold. `Then` alone also begins sentences, so it may not be deeper than the clause before it. `**AND WHEN**`
 * is another `WHEN`.
 */
function clauseOf(line: string, indentBefore = Infinity): Clause | undefined {
  const [, indent = '', bold = '', first = '', rest = ''] =
    /^(\s*)(?:[-*+]\s+|\d+[.)]\s+)?(\*\*|__)?(GIVEN|WHEN|THEN|AND|BUT)\b(.*)$/i.exec(line) ?? []
  const isMarked = bold !== '' || first === first.toUpperCase()
  const isCapital = /^[A-Z]/.test(first) && indent.length <= indentBefore
  if (first === '' || !(isMarked || isCapital)) return undefined
  const [, second = ''] = (bold === '' ? /^\s+(GIVEN|WHEN|THEN)\b/ : /^\s+(GIVEN|WHEN|THEN)\b:?[*_]/i).exec(rest) ?? []
  const word = isMarked && second !== '' ? second : first
  const text = word === first ? rest : rest.slice(rest.indexOf(word) + word.length)
  return { word: word.toLowerCase(), text: withoutMark(text, bold), indent: indent.length }
}

/** What is bold may end with the word, or behind it. */
function withoutMark(text: string, bold: string): string {
  return text.replace(bold, '').replace(/^\s*:?\s*/, '')
}

function joined(text: string, line: string): string {
  const [, bullet, rest = ''] = /^\s*([-*+]\s+|\d+[.)]\s+)?(.*)$/.exec(line) ?? []
  return `${text}${bullet === undefined ? ' ' : text.endsWith(':') ? ' ' : '; '}${plain(rest)}`.trim()
}

function plain(text: string): string {
  return text
    .replace(/(\*\*|__)(.+?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim()
}
