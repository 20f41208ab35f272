import { type Outline, buildSections, type Section } from '../../sections/build-sections.ts'
import { createOrdinals } from '../../sections/build-step.ts'
import { createTitleList, type TitleList } from '../../sections/unique-titles.ts'
import { locateIn } from '../../sections/locate-in.ts'
import type { IncludedFile } from '../../front-matter/read-includes.ts'
import { reportPatterns } from '../../rules/report-patterns.ts'
import type { FenceLanguage } from '../../blocks/fence.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { Group, Scenario, Step } from '../../spec.ts'
import type { CaseConfig } from './read-case-config.ts'
import { type CaseScope, buildCase, endLineOf, readCases, type Cases, type FoundCase } from './read-cases.ts'
import { inheritDirectives } from '../../blocks/parse-directives.ts'

export interface DocumentParts {
  readonly file: string
  readonly text: string
  readonly outline: Outline
  readonly title: string
  readonly defaults: CaseConfig
  readonly prepended: readonly IncludedFile[]
  readonly appended: readonly IncludedFile[]
  readonly report: Report
  /** Those of all dialects. */
  readonly languages: readonly FenceLanguage[]
}

/**
 * A document of scrut is one scenario, whatever headings it has: its test cases share a shell and a directory. One H1
 * above all else is its title.
 */
export function buildDocument({
  file,
  text,
  outline,
  title,
  defaults,
  report,
  languages,
  ...included
}: DocumentParts): readonly Scenario[] {
  const titles = createTitleList()
  const scope = { isAgentNone: true, nextOrdinal: createOrdinals(), report, languages }
  const build = (files: readonly IncludedFile[]): readonly (Group | Step)[] =>
    files.flatMap((one) => buildIncluded(one, titles, scope))
  const before = build(included.prepended)
  const own = buildCases(outline, titles, { ...scope, text, defaults, file })
  const after = build(included.appended)
  const [only, ...more] = own
  const isTitled = only?.kind === 'group' && more.length === 0 && outline.sections[0]?.heading.depth === 1
  const children = [...before, ...(isTitled ? only.children : own), ...after]
  if (children.length === 0) return []
  const scenario: Scenario = {
    ordinal: 1,
    title,
    ...(isTitled ? placeOf(only) : placeOfAll(outline)),
    directives: isTitled ? only.directives : {},
    hasDescribe: isTitled,
    blocks: [],
    children,
  }
  reportPatterns(scenario, report)
  return [scenario]
}

/** Of an included file scrut takes the test cases alone. */
function buildIncluded(
  { file, source, report }: IncludedFile,
  titles: TitleList,
  scope: Omit<CaseScope, 'text' | 'defaults' | 'file'>,
): readonly (Group | Step)[] {
  const outline = buildSections(source.root.children)
  const children = buildCases(outline, titles, { ...scope, text: source.text, defaults: {}, file, report })
  return locateIn(file, { preambles: [], blocks: [], setups: [], teardowns: [], children }).children
}

function placeOf({ line, column, endLine }: Group): Pick<Scenario, 'line' | 'column' | 'endLine'> {
  return { line, column, endLine }
}

function placeOfAll({ preamble, sections }: Outline): Pick<Scenario, 'line' | 'column' | 'endLine'> {
  const { line, column } = preamble[0]?.position?.start ?? sections[0] ?? { line: 1, column: 1 }
  return { line, column, endLine: sections.at(-1)?.endLine ?? preamble.at(-1)?.position?.end.line ?? line }
}

const maxTitleLength = 100

/** The steps of the test cases before the first heading, and what the headings hold. */
function buildCases({ preamble, sections }: Outline, titles: TitleList, scope: CaseScope): readonly (Group | Step)[] {
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
