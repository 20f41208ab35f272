import type { IncludedFile } from '../../front-matter/read-includes.ts'
import { repeatsOf } from '../../front-matter/repeats.ts'
import { readOwnContent, readWholeContent, type Content, type Scope } from '../../markdown/section-content.ts'
import { reportPatterns } from '../../rules/report-patterns.ts'
import { mergeHooks } from '../../sections/build-hook.ts'
import { buildIncluded } from '../../sections/build-included.ts'
import { preambleAbove, type Outline, type Section } from '../../sections/build-sections.ts'
import { buildStep, createOrdinals } from '../../sections/build-step.ts'
import { createTitleList } from '../../sections/unique-titles.ts'
import { stepsOf, type Directives, type Scenario, type SpecLines } from '../../spec.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { readExpectations } from './read-expectations.ts'
import { scenariosIn, type PlannedScenario } from './read-plan.ts'

/** What a scenario of a plan begins with. */
export interface Beginning {
  /** Specs of ours, carried out before its own steps. */
  readonly included: readonly IncludedFile[]
  /** Files of others that its agent is told of. */
  readonly told: readonly SpecLines[]
}

interface PlanParts extends Scope {
  readonly outline: Outline
  beginningOf(scenario: PlannedScenario): Beginning
}

/** Makes a scenario of each leaf heading of a plan. All else of it is context, and becomes no test. */
export function buildPlan({ outline, beginningOf, ...scope }: PlanParts): readonly Scenario[] {
  const planned = scenariosIn(outline.sections)
  const own = new Set(planned.map(({ section }) => section))
  const context = besideScenarios(outline.sections, own)
  const contents = new Map(context.map((section) => [section, readContext(section, scope)]))
  const groups = new Set(planned.flatMap(({ above }) => above))
  const titles = createTitleList()
  const scenarios = planned.flatMap((one, index): readonly Scenario[] => {
    const built = buildScenario(one, {
      ...scope,
      ordinal: index + 1,
      title: titles.add(one.section.title),
      contents,
      beginning: beginningOf(one),
    })
    if (built === undefined) return []
    const preambles = [
      ...contextOf(one, outline, (section) => own.has(section) || groups.has(section)),
      ...(built.preambles ?? []),
    ]
    return [{ ...built, ...(preambles.length > 0 && { preambles }) }]
  })
  for (const scenario of scenarios) reportPatterns(scenario, scope.report)
  return scenarios.map((scenario, index) => ({ ...scenario, ordinal: index + 1 }))
}

interface ScenarioScope extends Scope {
  readonly ordinal: number
  readonly title: string
  readonly beginning: Beginning
  readonly contents: ReadonlyMap<Section, Content>
}

/** `undefined` where nobody acts on it. */
function buildScenario(
  { section, above }: PlannedScenario,
  { beginning, contents, ordinal, title, ...scope }: ScenarioScope,
): Scenario | undefined {
  const { line, column, endLine } = section
  const groups = above.flatMap((group) => contents.get(group) ?? [])
  const isAgentNone = scope.isAgentNone || groups.some((group) => group.isAgentNone)
  const isSkipped = groups.some((group) => group.isSkipped)
  const included = buildIncluded(beginning.included, scope)
  const whole = readWholeContent(section, { ...scope, isAgentNone, isSkipped, canHaveDirectives: true })
  const content = whole.isAgentNone ? whole : { ...whole, checks: readExpectations(section) }
  const step = buildStep(
    { ...content, directives: directivesOf(content, groups) },
    { line, column, endLine, title: () => title },
    { ...scope, isAgentNone, isSkipped, nextOrdinal: createOrdinals(stepsOf(included).length + 1) },
  )
  if (step === undefined) return undefined
  const preambles = [...beginning.told, ...included.preambles]
  return withoutUndefined<Scenario>({
    ordinal,
    title,
    line,
    column,
    endLine,
    directives: {},
    hasDescribe: included.children.length > 0,
    repeats: repeatsOf(content.directives),
    isApart: true,
    ...(preambles.length > 0 && { preambles }),
    blocks: included.blocks,
    setup: mergeHooks(included.setups),
    teardown: mergeHooks(included.teardowns),
    children: [...included.children, step],
  })
}

/** Its own directives and those of its groups: there is no `describe` that would have these. */
function directivesOf({ directives }: Content, groups: readonly Content[]): Directives {
  const all = [...groups.map((group) => group.directives), directives]
  const tags = all.flatMap((each) => each.tags ?? [])
  return Object.assign({}, ...all, tags.length > 0 && { tags }) as Directives // each of them is one
}

/** Headings that are neither scenarios nor below one. */
function besideScenarios(sections: readonly Section[], own: ReadonlySet<Section>): readonly Section[] {
  return sections.flatMap((section) => (own.has(section) ? [] : [section, ...besideScenarios(section.children, own)]))
}

/** Reads what is no scenario: directives of groups count for all below them, and blocks would never run. */
function readContext(section: Section, scope: Scope): Content {
  const content = readOwnContent(section.nodes, section, scope)
  for (const block of content.blocks) {
    const message = `\`${section.title}\` is no scenario of the plan, so this block would never run. Move it below the heading of a scenario, or take its mark away.`
    scope.report('block-in-context', block, message)
  }
  return content
}

/** Lines that tell of a scenario: the text of the headings above it, and what stands beside it and is no scenario. */
function contextOf(
  { above }: PlannedScenario,
  outline: Outline,
  holdsScenario: (section: Section) => boolean,
): readonly SpecLines[] {
  const textOf = (section: Section): SpecLines => ({
    line: section.line,
    endLine: section.nodes.at(-1)?.position?.end.line ?? section.line,
  })
  const besides = (sections: readonly Section[]): readonly SpecLines[] =>
    sections.filter((section) => !holdsScenario(section)).map(({ line, endLine }) => ({ line, endLine }))
  return [
    ...preambleAbove(outline, []),
    ...besides(outline.sections),
    ...above.flatMap((section) => [textOf(section), ...besides(section.children)]),
  ].toSorted((one, other) => one.line - other.line)
}
