import type { Outline } from '../../sections/build-sections.ts'
import { buildSections } from '../../sections/build-sections.ts'
import { createOrdinals } from '../../sections/build-step.ts'
import { createTitleList } from '../../markdown/create-title-list.ts'
import type { TitleList } from '../../markdown/create-title-list.ts'
import { locateIn } from '../../sections/locate-in.ts'
import type { IncludedFile } from '../../front-matter/read-includes.ts'
import { reportPatterns } from '../../rules/report-patterns.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { Group, Scenario, Step } from '../../spec.ts'
import { buildCases } from './build-cases.ts'
import type { CaseConfig } from './read-case-config.ts'
import type { CaseScope } from './read-cases.ts'

export interface DocumentParts {
  /** Absolute path. */
  readonly file: string
  readonly text: string
  readonly outline: Outline
  readonly title: string
  readonly defaults: CaseConfig
  readonly prepended: readonly IncludedFile[]
  readonly appended: readonly IncludedFile[]
  readonly report: Report
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
  ...included
}: DocumentParts): readonly Scenario[] {
  const titles = createTitleList()
  const scope = { isAgentNone: true, nextOrdinal: createOrdinals(), report }
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
  return locateIn(file, { blocks: [], setups: [], teardowns: [], children }).children
}

function placeOf({ line, column, endLine }: Group): Pick<Scenario, 'line' | 'column' | 'endLine'> {
  return { line, column, endLine }
}

function placeOfAll({ preamble, sections }: Outline): Pick<Scenario, 'line' | 'column' | 'endLine'> {
  const { line, column } = preamble[0]?.position?.start ?? sections[0] ?? { line: 1, column: 1 }
  return { line, column, endLine: sections.at(-1)?.endLine ?? preamble.at(-1)?.position?.end.line ?? line }
}
