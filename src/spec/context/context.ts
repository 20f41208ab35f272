import type { RootContent } from 'mdast'
import { top } from '../markdown/positions-and-placeholders.ts'
import { isMapping } from '../../system/text/parse-json.ts'
import type { Block } from '../spec.ts'
import { contextName } from '../dialects/dialect-places.ts'
import type { IncludeContext, IncludedFile } from '../front-matter/read-includes.ts'
import { readFrontMatter } from '../front-matter/front-matter-keys.ts'
import type { RawFrontMatter } from '../front-matter/parse-yaml.ts'
import { readSource } from '../read-source.ts'
import { reportUnread } from '../rules/unread.ts'
import { buildSections, preambleAbove, type Outline, type Section, withChildren } from '../sections/build-sections.ts'
import { buildHook, toList } from '../sections/build-children.ts'
import { hookNameOf } from '../sections/section-titles.ts'
import { joinParts, locateIn, type Included } from '../sections/build-scenarios.ts'
import { readOwnContent, readWholeContent, type Content, type Scope } from '../markdown/section-content.ts'

export interface ProductContext extends Pick<Included, 'preambles' | 'setups' | 'teardowns'> {
  readonly files: readonly string[]
  blocksOf(title: string): readonly Block[]
  /** Reports sections `Scenario: …` without a scenario in any spec. `isElsewhere` looks into the other specs. */
  reportUnused(isElsewhere: (title: string, contextFile: string) => boolean): void
}

export interface ContextFile extends Pick<IncludedFile, 'file' | 'source' | 'report'> {
  readonly outline: Outline
}

const ofSpecs = ['title', 'dialect', 'include']

/** `files`: absolute paths. Files of outer folders come first. */
export function readContextFiles(
  files: readonly string[],
  { readIncluded, agentNames, reportIn }: IncludeContext & { readonly agentNames?: readonly string[] | undefined },
): readonly ContextFile[] {
  return files.flatMap((file) => {
    const found = readIncluded(file)
    const report = reportIn(file)
    if (typeof found === 'object' && 'problem' in found) {
      if (found.isMissing !== true) report('context-file', top, `It cannot be read: ${found.problem}`)
      return []
    }
    const source = readSource(found, report)
    if (source === undefined) return []
    for (const name of ofSpecs.filter((key) => source.frontMatter.values.has(key))) {
      const message = `\`${name}\` has no meaning in \`${contextName}\`, which is of many specs. Take it out.`
      report('context-file', source.frontMatter.placeOf([name]), message)
    }
    // Only reports problems. The values are read later, from the merged front matter of all files.
    readFrontMatter(source.frontMatter, report, agentNames)
    return [{ file, source, outline: buildSections(source.root.children), report }]
  })
}

/** Joins lists and mappings. Of other values, the last file's value wins. `placeOf` always returns the top. */
export function mergeFrontMatter(all: readonly RawFrontMatter[]): RawFrontMatter {
  const values = new Map<string, unknown>()
  for (const [key, value] of all.flatMap((one) => [...one.values])) values.set(key, merged(values.get(key), value))
  return { values, placeOf: () => top }
}

function merged(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...new Set([...before, ...value])]
  if (isMapping(before) && isMapping(value)) return { ...before, ...value }
  return value
}

export function buildContext(files: readonly ContextFile[], given: Pick<Scope, 'isAgentNone'>): ProductContext {
  const parts = files.map((file) => partOfFile(file, given))
  const used = new Set<ContextScenario>()
  return {
    files: files.map(({ file }) => file),
    ...joinParts(parts),
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

interface ContextScenario {
  /** The title as written (`<age> years`) and without markdown (`years`). Dialects use one or the other. */
  readonly titles: readonly [string, ...string[]]
  readonly section: Section
  readonly blocks: readonly Block[]
}

function partOfFile({ file, source, outline, report }: ContextFile, given: Pick<Scope, 'isAgentNone'>) {
  const { sections } = outline
  const scope: Scope = { ...given, text: source.text, fates: source.fates, report }
  // A single H1 is the title of the file, not a section.
  const [only, ...others] = sections
  const isTitled = only !== undefined && others.length === 0 && only.heading.depth === 1
  const inner = isTitled ? only.children : sections
  const setup = buildHook(inner, 'setup', scope)
  const teardown = buildHook(inner, 'teardown', scope)
  const about = inner.filter((section) => hookNameOf(section) === undefined && scenarioOf(section) === undefined)
  for (const section of withChildren(about)) reportBlocks(section.nodes, section, scope)
  if (isTitled) reportBlocks(only.nodes, only, scope)
  reportBlocks(outline.preamble, 'preamble', scope)
  const lines = source.text.split('\n')
  const scenarios: ContextScenario[] = []
  for (const section of inner) {
    const plain = scenarioOf(section)
    if (plain === undefined) continue
    const [, title = plain] = /^#+\s+Scenario:\s*(.+?)(?:\s+#+)?\s*$/i.exec(lines[section.line - 1] ?? '') ?? []
    if (scenarios.some(({ titles }) => titles[0] === title)) {
      report('context-scenario', section, `There is a section for the scenario "${title}" already. Put both into one.`)
    }
    const { blocks, checks } = readWholeContent(section, scope)
    reportChecks(checks, scope)
    scenarios.push({ titles: [title, plain], section, blocks: blocks.map((block) => ({ ...block, file })) })
  }
  const located = locateIn(file, {
    preambles: [
      ...preambleAbove(outline, []),
      ...(isTitled ? [{ line: only.line, endLine: (only.children[0]?.line ?? only.endLine + 1) - 1 }] : []),
      ...about.map(({ line, endLine }) => ({ line, endLine })),
    ],
    blocks: [],
    setups: toList(setup),
    teardowns: toList(teardown),
    children: [],
  })
  reportUnread(source, { ...given, report })
  return { ...located, file, report, scenarios }
}

function scenarioOf({ title }: Section): string | undefined {
  return /^Scenario:\s*(.*)$/i.exec(title)?.[1]
}

function reportBlocks(nodes: readonly RootContent[], section: Section | 'preamble', scope: Scope): void {
  const { blocks, checks } = readOwnContent(nodes, section, scope)
  reportChecks(checks, scope)
  for (const block of blocks) {
    const message = `This block would never run: in \`${contextName}\` blocks stand below \`Setup\`, \`Teardown\` or \`Scenario: …\`. Move it there, or take its mark away; an example is a \`text\` block.`
    scope.report('block-in-context', block, message)
  }
}

function reportChecks(checks: Content['checks'], { report }: Scope): void {
  const message = `Nobody would judge this check: \`${contextName}\` only says how to run the product. Write it in the spec.`
  for (const check of checks) report('check-outside-step', check, message)
}
