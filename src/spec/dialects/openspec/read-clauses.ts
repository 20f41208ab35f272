import type { Check, Place } from '../../spec.ts'
import { fencedLines } from './read-sections.ts'

/** A line of a scenario that begins with a word such as `WHEN`. */
interface Clause {
  readonly word: string
  readonly text: string
  /** Of its bullet, in characters. */
  readonly indent: number
}

/**
 * What a scenario is judged by: each `THEN`, and each `AND` or `BUT` behind one. Lines below such a bullet, and what it is
 * wrapped over, belong to it.
 *
 * @param first line of the first of these lines, counted from 1
 */
export function readChecks(lines: readonly string[], first: number): readonly (Check & Place)[] {
  const fenced = fencedLines(lines)
  const checks: { n: number; line: number; column: number; text: string }[] = []
  let isOutcome = false
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || fenced.has(index)) continue
    const clause = clauseOf(line)
    if (clause === undefined) {
      const last = checks.at(-1)
      if (isOutcome && last !== undefined) last.text = joined(last.text, line)
      continue
    }
    if (clause.word === 'THEN') isOutcome = true
    else if (clause.word !== 'AND' && clause.word !== 'BUT') isOutcome = false
    const { text, indent } = clause
    if (isOutcome) checks.push({ n: checks.length + 1, line: first + index, column: indent + 1, text: plain(text) })
  }
  return checks.map((check) => ({ ...check, text: check.text || 'It is so' }))
}

/** In capitals, or bold. */
function clauseOf(line: string): Clause | undefined {
  const [, indent = '', bold = '', word = '', text = ''] =
    /^(\s*)(?:[-*+]\s+|\d+[.)]\s+)?(\*\*|__)?(GIVEN|WHEN|THEN|AND|BUT)\b:?(?:\*\*|__)?:?\s*(.*)$/i.exec(line) ?? []
  if (word === '' || (bold === '' && word !== word.toUpperCase())) return undefined
  return { word: word.toUpperCase(), text, indent: indent.length }
}

/** A nested bullet is set off, a wrapped line is not. */
function joined(text: string, line: string): string {
  const [, bullet, rest = ''] = /^\s*([-*+]\s+|\d+[.)]\s+)?(.*)$/.exec(line) ?? []
  return `${text}${bullet === undefined ? ' ' : text.endsWith(':') ? ' ' : '; '}${plain(rest)}`.trim()
}

/** Without the marks of emphasis around words. */
function plain(text: string): string {
  return text
    .replace(/(\*\*|__)(.+?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim()
}
