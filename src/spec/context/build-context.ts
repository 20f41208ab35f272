import { buildHook, hookNameOf } from '../sections/build-hook.ts'
import { withChildren, type Section } from '../sections/build-sections.ts'
import { locateIn } from '../sections/locate-in.ts'
import { readOwnContent, readWholeContent, type Scope } from '../markdown/section-content.ts'
import type { Block, Hook, SpecLines } from '../spec.ts'
import type { ProductContext } from './product-context.ts'
import { contextName, type ContextFile } from './read-context.ts'

/** Blocks for scenarios by their titles, and what all of them share. */
export function buildContext(
  files: readonly ContextFile[],
  given: Pick<Scope, 'isAgentNone' | 'languages'>,
): ProductContext {
  const parts = files.map((file) => readPart(file, given))
  const used = new Set<ContextScenario>()
  return {
    files: files.map(({ file }) => file),
    preambles: parts.flatMap(({ preambles }) => preambles),
    setups: parts.flatMap(({ setups }) => setups),
    teardowns: parts.toReversed().flatMap(({ teardowns }) => teardowns),
    blocksOf(title) {
      const named = parts.flatMap(({ scenarios }) => scenarios.filter(({ titles }) => titles.includes(title)))
      for (const scenario of named) used.add(scenario)
      return named.flatMap(({ blocks }) => blocks)
    },
    reportUnused(isElsewhere) {
      for (const { scenarios, file, report } of parts) {
        for (const scenario of scenarios) {
          const { titles, section } = scenario
          if (used.has(scenario) || titles.some((title) => title !== '' && isElsewhere(title, file))) continue
          const message = `No spec below this folder has a scenario "${titles[0]}". Correct the title, or take the section out.`
          report('context-scenario', section, message)
        }
      }
    },
  }
}

interface ContextPart extends Pick<ContextFile, 'file' | 'report'> {
  readonly preambles: readonly SpecLines[]
  readonly setups: readonly Hook[]
  readonly teardowns: readonly Hook[]
  readonly scenarios: readonly ContextScenario[]
}

/** What is done for the scenarios with a title. */
interface ContextScenario {
  /** As written, and without marks of markdown: some tools have `<age>` and backticks in titles, others do not. */
  readonly titles: readonly [string, ...string[]]
  readonly section: Section
  readonly blocks: readonly Block[]
}

function readPart(
  { file, source, sections, report }: ContextFile,
  given: Pick<Scope, 'isAgentNone' | 'languages'>,
): ContextPart {
  const scope: Scope = { ...given, text: source.text, report }
  // A title on top of all is no section of its own.
  const [only, ...others] = sections
  const isTitled = only !== undefined && others.length === 0 && only.heading.depth === 1
  const inner = isTitled ? only.children : sections
  const setup = buildHook(inner, 'setup', scope)
  const teardown = buildHook(inner, 'teardown', scope)
  const about = inner.filter((section) => hookNameOf(section) === undefined && scenarioOf(section) === undefined)
  for (const section of withChildren(about)) reportBlocks(section, scope)
  if (isTitled) reportBlocks(only, scope)
  const lines = source.text.split('\n')
  const scenarios: ContextScenario[] = []
  for (const section of inner) {
    const plain = scenarioOf(section)
    if (plain === undefined) continue
    const [, title = plain] = /^#+\s+Scenario:\s*(.+?)(?:\s+#+)?\s*$/i.exec(lines[section.line - 1] ?? '') ?? []
    if (scenarios.some(({ titles }) => titles[0] === title)) {
      const message = `There is a section for the scenario "${title}" already. Put both into one.`
      report('context-scenario', section, message)
    }
    const { blocks } = readWholeContent(section, { ...scope, canHaveDirectives: false })
    scenarios.push({ titles: [title, plain], section, blocks: located(file, blocks) })
  }
  const hooks = locateIn(file, {
    preambles: [...ownTextOf(source.root.children, sections), ...(isTitled ? [headOf(only)] : []), ...about],
    blocks: [],
    setups: setup ? [setup] : [],
    teardowns: teardown ? [teardown] : [],
    children: [],
  })
  const { preambles, setups, teardowns } = hooks
  return { file, report, preambles: preambles.map(linesOf), setups, teardowns, scenarios }
}

function scenarioOf({ title }: Section): string | undefined {
  return /^Scenario:\s*(.*)$/i.exec(title)?.[1]
}

/** They would never run. */
function reportBlocks(section: Section, scope: Scope): void {
  for (const block of readOwnContent(section.nodes, section, scope).blocks) {
    const message = `This block would never run: in \`${contextName}\` blocks stand below \`Setup\`, \`Teardown\` or \`Scenario: …\`. Move it there, or take its mark away.`
    scope.report('block-in-context', block, message)
  }
}

function located(file: string, blocks: readonly Block[]): readonly Block[] {
  return locateIn(file, { preambles: [], blocks, setups: [], teardowns: [], children: [] }).blocks
}

/** The text of a heading up to the next one. */
function headOf({ line, children, endLine }: Section): SpecLines {
  return { line, endLine: (children[0]?.line ?? endLine + 1) - 1 }
}

/** What stands above all headings. */
function ownTextOf(nodes: Section['nodes'], [first]: readonly Section[]): readonly SpecLines[] {
  const above = nodes.filter(({ position }) => (position?.start.line ?? 0) < (first?.line ?? Infinity))
  const line = above[0]?.position?.start.line
  const endLine = above.at(-1)?.position?.end.line
  return line === undefined || endLine === undefined ? [] : [{ line, endLine }]
}

function linesOf({ line, endLine, file }: SpecLines): SpecLines {
  return { line, endLine, ...(file !== undefined && { file }) }
}
