import { buildSections, preambleAbove, titleOf } from './build-sections.ts'
import { createOrdinals } from './build-step.ts'
import { createTitleList, type TitleList } from './unique-titles.ts'
import { inheritDirectives } from '../blocks/parse-directives.ts'
import { locateIn, type Included } from './locate-in.ts'
import type { IncludedFile } from '../front-matter/read-includes.ts'
import type { Scope } from '../markdown/section-content.ts'
import type { Group } from '../spec.ts'
import { partsOf, readScenario } from './read-scenario.ts'

/** Reads included files as parts of a scenario, numbered from 1 in their order. */
export function buildIncluded(
  files: readonly IncludedFile[],
  given: Pick<FileScope, 'isAgentNone' | 'languages'>,
): Included {
  const scope = { ...given, nextOrdinal: createOrdinals(), titles: createTitleList() }
  const parts = files.map((file) => locateIn(file.file, readFile(file, scope)))
  return {
    preambles: parts.flatMap(({ preambles }) => preambles),
    blocks: parts.flatMap(({ blocks }) => blocks),
    setups: parts.flatMap(({ setups }) => setups),
    teardowns: parts.toReversed().flatMap(({ teardowns }) => teardowns),
    children: parts.flatMap(({ children }) => children),
  }
}

interface FileScope extends Pick<Scope, 'isAgentNone' | 'languages'> {
  nextOrdinal(): number
  /** Of the headings that come into the scenario itself. */
  readonly titles: TitleList
}

/** An H1 with headings below it becomes a group; without one the headings come as they are. */
function readFile({ file, source, report }: IncludedFile, { titles, ...scope }: FileScope): Included {
  const outline = buildSections(source.root.children)
  const [parts, second] = partsOf(outline, titleOf(outline, { file }))
  if (second?.section !== undefined) {
    const message = 'An included file is part of a scenario and has one H1. Lower this one, or move it to another file.'
    report('include-scenarios', second.section, message)
  }
  if (parts === undefined) return { preambles: [], blocks: [], setups: [], teardowns: [], children: [] }
  const own = readScenario(parts, {
    ...scope,
    text: source.text,
    report,
    titles: { ofChildren: parts.section === undefined ? titles : createTitleList(), ofLeaf: titles },
    role: 'included',
  })
  const hooks = { setups: toList(own.setup), teardowns: toList(own.teardown) }
  const around = { ...hooks, preambles: preambleAbove(outline, own.children) }
  if (!own.hasDescribe) return { ...around, blocks: own.blocks, children: own.children }
  const { line, column, endLine, directives, blocks, children } = own
  const title = titles.add(own.title)
  return {
    ...around,
    blocks: [],
    children: [inheritDirectives<Group>({ kind: 'group', title, line, column, endLine, directives, blocks, children })],
  }
}

function toList<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}
