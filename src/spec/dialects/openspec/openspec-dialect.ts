import { isNearly } from '../../../system/text/did-you-mean.ts'
import { nodesOf } from '../../sections/build-sections.ts'
import { ApartScenarios } from '../scenarios-of-dialects.ts'
import { checksIn, createClauseReader, namedIn, wholeOf } from '../clauses.ts'
import type { Dialect } from '../dialect.ts'
import { changeOf } from '../dialect-places.ts'
import { readRequirements, readSections, withoutClosing } from './read-requirements.ts'

/** OpenSpec specs: each scenario of a requirement becomes a scenario with one step. */
export const openspecDialect: Dialect<'openspec'> = {
  name: 'openspec',
  takesContext: true,
  nameOf,
  build(document) {
    const lines = document.text.split('\n')
    const change = changeOf(document.file)
    const isOfChange = change !== undefined
    const sections = readSections(lines)
    const { report } = document
    const { requirements, context, without } = readRequirements(sections, { isOfChange, lines, report })
    const apart = new ApartScenarios(document)
    const reader = createClauseReader(document.text, nodesOf(document.outline), 'lines')
    const starts = offsetsOf(lines)
    for (const { title, section, scenarios } of requirements) {
      const { line, endLine } = section
      const group = apart.group({ title, line, column: 1, endLine })
      const statement = { line, endLine: section.childLine - 1 }
      for (let each = line + 1; each <= statement.endLine; each += 1)
        if (!/^\s*[-*+]\s/.test(lines[each - 1] ?? '')) document.fates.mark('scenario', each)
      const asked = apart.state({ title: group.title, line, column: 1 }, [statement])
      for (const scenario of scenarios) {
        const [start = 0, end = start] = [starts[scenario.line], starts[scenario.endLine]]
        const read = reader.read({ place: { line: scenario.line + 1, column: 1 }, start, end })
        apart.add({
          ...scenario,
          title: withoutClosing(scenario.title.replace(/^Scenario:\s*/i, '')),
          groups: [group],
          about: [...context.map((each) => ({ line: each.line, endLine: each.endLine })), statement],
          proves: [asked],
          checks: checksIn([read]),
          whole: wholeOf([read]),
        })
      }
    }
    for (const { line, endLine } of without) document.fates.mark('known', line, endLine)
    const heading = sections.find(({ level }) => level === 1)
    return {
      ...apart.built,
      title: heading === undefined ? document.title : withoutClosing(heading.title),
      ...(isOfChange && { change }),
    }
  },
}

function nameOf(line: string): string | undefined {
  const [, marked, plain] =
    /^(\p{L}+)\s*(?:[:–—-]|\d|$)/u.exec(namedIn(line)) ??
    /^\s*(?:(?:[-*+|>]|\d+[.)]|<h\d>)[\s*_]*(\p{L}+)|(requirement))\s*:/iu.exec(line) ??
    []
  const first = marked ?? plain ?? ''
  return ['requirement', 'scenario'].find(
    (name) => first.toLowerCase() !== `${name}s` && isNearly(first.toLowerCase(), name),
  )
}

function offsetsOf(lines: readonly string[]): readonly number[] {
  let offset = 0
  return [0, ...lines.map((line) => (offset += line.length + 1))]
}
