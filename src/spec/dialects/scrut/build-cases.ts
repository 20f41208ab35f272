import type { Outline, Section } from '../../sections/build-sections.ts'
import { createTitleList } from '../../markdown/create-title-list.ts'
import type { TitleList } from '../../markdown/create-title-list.ts'
import { inheritDirectives } from '../../blocks/inherit-directives.ts'
import type { Group, Step } from '../../spec.ts'
import { buildCase, endLineOf, readCases } from './read-cases.ts'
import type { Cases, CaseScope, FoundCase } from './read-cases.ts'

const maxTitleLength = 100

/** The steps of the test cases before the first heading, and what the headings hold. */
export function buildCases(
  { preamble, sections }: Outline,
  titles: TitleList,
  scope: CaseScope,
): readonly (Group | Step)[] {
  const { cases } = readCases(preamble, undefined, scope)
  return [
    ...cases.flatMap((found) => buildOwn(found, titles, scope)),
    ...sections.flatMap((section) => buildHeading(readHeading(section, scope), titles, scope)),
  ]
}

interface Heading extends Cases {
  readonly section: Section
  /** Those with test cases. */
  readonly children: readonly Heading[]
}

function readHeading(section: Section, scope: CaseScope): Heading {
  const own = readCases(section.nodes, section, scope)
  const children = section.children.map((child) => readHeading(child, scope))
  return { section, ...own, children: children.filter(({ cases, children: below }) => cases.length + below.length > 0) }
}

/** A heading with one test case is its step, one with several is a group; without any it is documentation. */
function buildHeading(heading: Heading, titles: TitleList, scope: CaseScope): readonly (Group | Step)[] {
  const { section, directives, cases, children } = heading
  const { line, column, endLine } = section
  const title = (): string => titles.add(shorten(section.title))
  const [only, ...more] = cases
  if (only !== undefined && more.length + children.length === 0) {
    const found = { ...only, directives: { ...directives, ...only.directives } }
    return toList(buildCase(found, { line, column, endLine, title }, scope))
  }
  const inner = createTitleList()
  const nodes = [
    ...cases.flatMap((found) => buildOwn(found, inner, scope)),
    ...children.flatMap((child) => buildHeading(child, inner, scope)),
  ]
  if (nodes.length === 0) return []
  return [
    inheritDirectives<Group>({
      kind: 'group',
      title: title(),
      line,
      column,
      endLine,
      directives,
      blocks: [],
      children: nodes,
    }),
  ]
}

/** A test case that shares its heading with others stands on the line of its fence. */
function buildOwn(found: FoundCase, titles: TitleList, scope: CaseScope): readonly Step[] {
  const { line, column } = found.fence
  const title = (): string => titles.add(shorten(found.title || commandOf(found)))
  return toList(buildCase(found, { line, column, endLine: endLineOf(found.fence), title }, scope))
}

function commandOf({ fence }: FoundCase): string {
  return (/^\$ (.*)$/m.exec(fence.code)?.[1] ?? '').trim()
}

function shorten(title: string): string {
  return title.length <= maxTitleLength ? title : `${title.slice(0, maxTitleLength).replace(/\s+\S*$/, '')} …`
}

function toList(step: Step | undefined): readonly Step[] {
  return step === undefined ? [] : [step]
}
