import { top } from '../../markdown/positions-and-placeholders.ts'
import { type Place, stepsOf, type Directives, type Scenario, type SpecLines } from '../../spec.ts'
import type { Dialect, DialectDocument } from '../dialect.ts'
import { isPlan, nearLabel, scenariosIn, seedOf, type PlannedScenario, readExpectations } from './read-plan.ts'
import type { IncludedFile } from '../../front-matter/read-includes.ts'
import { readSource } from '../../read-source.ts'
import { repeatsOf } from '../../front-matter/front-matter.ts'
import { readOwnContent, readWholeContent, type Content, type Scope } from '../../markdown/section-content.ts'
import { reportPatterns } from '../../rules/report-patterns.ts'
import { mergeHooks } from '../../sections/build-children.ts'
import { buildIncluded } from '../../sections/build-scenarios.ts'
import { preambleAbove, type Outline, type Section, createUniqueTitle } from '../../sections/build-sections.ts'
import { buildStep, createOrdinals } from '../../sections/build-step.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'

const maxSeedLength = 32 * 1024

/** Plans of Playwright's planner: each leaf heading becomes a scenario for an agent with a fresh browser. */
export const plannerDialect: Dialect<'planner'> = {
  name: 'planner',
  recognise: isPlan,
  nameOf: nearLabel,
  build(document) {
    const { outline, text, isAgentNone, report, fates } = document
    if (scenariosIn(outline.sections).length === 0 && outline.sections.length + outline.preamble.length > 0) {
      const message = 'The plan has no scenario. Write headings, and below each `**Steps:**` with a numbered list.'
      report('planner-scenarios', outline.sections[0] ?? top, message)
    }
    const own = document.readFiles()
    const seeds = new Map<string, Beginning>()
    const beginningOf = ({ section, above }: PlannedScenario): Beginning => {
      const path = [section, ...above.toReversed()].map(({ nodes }) => seedOf(nodes)).find((one) => one !== undefined)
      const seed = path === undefined ? nothing : (seeds.get(path) ?? readSeed(path, section, document))
      if (path !== undefined) seeds.set(path, seed)
      return { ...seed, included: [...own, ...seed.included] }
    }
    const scenarios = buildPlan(outline, beginningOf, { text, isAgentNone, report, fates })
    const included = [...own, ...[...seeds.values()].flatMap((seed) => seed.included)]
    return { includes: included.map(({ file }) => file), scenarios }
  },
}

const nothing: Beginning = { included: [], shown: [] }

/** The agent carries out a seed in markdown. A seed in code is only shown, so a missing file is no problem. */
function readSeed(path: string, place: Place, document: DialectDocument): Beginning {
  if (/\.md$/i.test(path)) {
    const found = document.findFile(path)
    const source = found && readSource(found.text, found.report)
    // The front matter of a seed has no effect, not even its `include`.
    if (source) return { included: [{ ...found, include: [], source }], shown: [] }
    const message = `There is no seed \`${path}\`, neither in the folder of the plan nor in one above it in the suite root. Correct its path, or take it out.`
    document.report('planner-seed', place, message)
    return nothing
  }
  const found = /\.[cm]?[jt]sx?$/.test(path) ? document.findFile(path) : undefined
  if (found === undefined || found.text.length > maxSeedLength) return nothing
  return { included: [], shown: [{ file: found.file, line: 1, endLine: found.text.split('\n').length }] }
}

interface Beginning {
  readonly included: readonly IncludedFile[]
  readonly shown: readonly SpecLines[]
}

function buildPlan(
  outline: Outline,
  beginningOf: (scenario: PlannedScenario) => Beginning,
  scope: Scope,
): readonly Scenario[] {
  const planned = scenariosIn(outline.sections)
  const own = new Set(planned.map(({ section }) => section))
  const context = besideScenarios(outline.sections, own)
  const beside = planned.flatMap(({ above }) => above.at(-1)?.children ?? outline.sections)
  for (const section of new Set(beside)) if (!own.has(section)) reportUnread(section, scope)
  const contents = new Map(context.map((section) => [section, readContext(section, scope)]))
  const groups = new Set(planned.flatMap(({ above }) => above))
  const unique = createUniqueTitle()
  const holdsScenario = (section: Section): boolean => own.has(section) || groups.has(section)
  const scenarios = planned.flatMap((one) => {
    const title = unique(one.section.title)
    const about = contextOf(one, outline, holdsScenario)
    return buildScenario(one, { ...scope, title, contents, about, beginning: beginningOf(one) }) ?? []
  })
  for (const scenario of scenarios) reportPatterns(scenario, scope.report)
  return scenarios.map((scenario, index) => ({ ordinal: index + 1, ...scenario }))
}

/** Reports a numbered list beside scenarios: its section is probably a scenario that lacks `**Steps:**`. */
function reportUnread({ children, nodes, line, column }: Section, { report }: Scope): void {
  if (children.length > 0 || !nodes.some((node) => node.type === 'list' && node.ordered === true)) return
  const message = 'This is no scenario, so it would be no test. Write `**Steps:**` above its list, or drop the numbers.'
  report('unread-clause', { line, column }, message)
}

interface ScenarioScope extends Scope {
  readonly title: string
  readonly about: readonly SpecLines[]
  readonly beginning: Beginning
  readonly contents: ReadonlyMap<Section, Content>
}

function buildScenario(
  { section, above }: PlannedScenario,
  { beginning, contents, about, title, ...scope }: ScenarioScope,
): Omit<Scenario, 'ordinal'> | undefined {
  const { line, column, endLine } = section
  const groups = above.flatMap((group) => contents.get(group) ?? [])
  const isAgentNone = scope.isAgentNone || groups.some((group) => group.isAgentNone)
  const isSkipped = groups.some((group) => group.isSkipped)
  const included = buildIncluded(beginning.included, scope)
  const whole = readWholeContent(section, { ...scope, isAgentNone, isSkipped }, true)
  const content = whole.isAgentNone ? whole : { ...whole, checks: readExpectations(section) }
  const step = buildStep(
    { ...content, directives: directivesOf(content, groups) },
    { line, column, endLine, title: () => title },
    { ...scope, isAgentNone, isSkipped, nextOrdinal: createOrdinals(stepsOf(included).length + 1) },
  )
  if (step === undefined) return undefined
  const preambles = [...about, ...beginning.shown, ...included.preambles]
  return withoutUndefined<Omit<Scenario, 'ordinal'>>({
    title,
    line,
    column,
    endLine,
    directives: {},
    hasDescribe: included.children.length > 0,
    repeats: repeatsOf(content.directives),
    isApart: true,
    blocks: included.blocks,
    setup: mergeHooks(included.setups),
    teardown: mergeHooks(included.teardowns),
    children: [...included.children, step],
    ...(preambles.length > 0 && { preambles }),
  })
}

/** Merges the directives of a scenario and its groups, because groups do not become `describe`s. */
function directivesOf({ directives }: Content, groups: readonly Content[]): Directives {
  const all = [...groups.map((group) => group.directives), directives]
  const tags = all.flatMap((each) => each.tags ?? [])
  return Object.assign({}, ...all, tags.length > 0 && { tags }) as Directives // each part is a `Directives`
}

function besideScenarios(sections: readonly Section[], own: ReadonlySet<Section>): readonly Section[] {
  return sections.flatMap((section) => (own.has(section) ? [] : [section, ...besideScenarios(section.children, own)]))
}

/** Reads the directives of a section for all scenarios below. Reports blocks, because they would never run. */
function readContext(section: Section, scope: Scope): Content {
  const content = readOwnContent(section.nodes, section, scope)
  for (const block of content.blocks) {
    const message = `\`${section.title}\` is no scenario of the plan, so this block would never run. Move it below the heading of a scenario, or take its mark away.`
    scope.report('block-in-context', block, message)
  }
  return content
}

/** Text for the agent from outside the scenario: the sections above it, and sections beside it without a scenario. */
function contextOf(
  { above }: PlannedScenario,
  outline: Outline,
  holdsScenario: (section: Section) => boolean,
): readonly SpecLines[] {
  const ownLines = (section: Section): SpecLines => ({
    line: section.line,
    endLine: section.nodes.at(-1)?.position?.end.line ?? section.line,
  })
  const besides = (sections: readonly Section[]): readonly SpecLines[] =>
    sections.filter((section) => !holdsScenario(section)).map(({ line, endLine }) => ({ line, endLine }))
  return [
    ...preambleAbove(outline, []),
    ...besides(outline.sections),
    ...above.flatMap((section) => [ownLines(section), ...besides(section.children)]),
  ].toSorted((one, other) => one.line - other.line)
}
