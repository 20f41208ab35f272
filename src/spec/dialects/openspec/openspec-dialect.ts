import { ApartScenarios, clauseKinds, outcomesIn, type Judged } from '../apart.ts'
import type { Dialect } from '../dialect.ts'
import { changeOf } from '../places.ts'
import { fencedLines, readRequirements, readSections, withoutClosing } from './read-requirements.ts'

/** Specs of OpenSpec: each scenario of a requirement is one of ours, of one step. */
export const openspecDialect: Dialect<'openspec'> = {
  name: 'openspec',
  takesContext: true,
  build(document) {
    const lines = document.text.split('\n')
    const change = changeOf(document.file)
    const sections = readSections(lines)
    const { report } = document
    const { requirements, context } = readRequirements(sections, { isOfChange: change !== undefined, lines, report })
    const apart = new ApartScenarios(document)
    for (const { title, section, scenarios } of requirements) {
      const { line, endLine } = section
      const group = apart.group({ title, line, column: 1, endLine })
      const statement = { line, endLine: section.childLine - 1 }
      const asked = apart.state({ title: group.title, line, column: 1 }, [statement])
      for (const scenario of scenarios) {
        const name = withoutClosing(scenario.title.replace(/^Scenario:\s*/i, ''))
        apart.add({
          line: scenario.line,
          column: 1,
          endLine: scenario.endLine,
          title: name,
          name,
          groups: [group],
          about: [...context.map((each) => ({ line: each.line, endLine: each.endLine })), statement],
          proves: [asked],
          checks: readChecks(lines.slice(scenario.line, scenario.endLine), scenario.line + 1),
        })
      }
    }
    const heading = sections.find(({ level }) => level === 1)
    return {
      ...apart.built,
      title: heading === undefined ? document.title : withoutClosing(heading.title),
      ...(change !== undefined && { change }),
    }
  },
}

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
export function readChecks(lines: readonly string[], first: number): readonly Judged[] {
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
