import { inheritDirectives } from '../../blocks/parse-directives.ts'
import type { IncludedFile } from '../../front-matter/read-includes.ts'
import { repeatsOf } from '../../front-matter/repeats.ts'
import { readOwnContent, readWholeContent, type Content, type Scope } from '../../markdown/section-content.ts'
import { reportPatterns } from '../../rules/report-patterns.ts'
import { mergeHooks } from '../../sections/build-hook.ts'
import { buildIncluded } from '../../sections/build-included.ts'
import { preambleAbove, type Outline, type Section } from '../../sections/build-sections.ts'
import { buildStep, createOrdinals } from '../../sections/build-step.ts'
import { createTitleList } from '../../sections/unique-titles.ts'
import { stepsOf, type Scenario, type SpecLines } from '../../spec.ts'
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
  const contents = readContext(outline.sections, own, scope)
  const titles = createTitleList()
  const scenarios = planned.flatMap((one, index): readonly Scenario[] => {
    const built = buildScenario(one, { ...scope, ordinal: index + 1, title: titles.add(one.section.title), contents, beginning: beginningOf(one) }) // prettier-ignore
    if (built === undefined) return []
    const preambles = [...contextOf(one, outline, own), ...(built.preambles ?? [])]
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
  const included = buildIncluded(beginning.included, scope)
  const content = { ...readWholeContent(section, { ...scope, canHaveDirectives: true }), checks: readExpectations(section) } // prettier-ignore
  const step = buildStep(content, { line, column, endLine, title: () => title }, { ...scope, nextOrdinal: createOrdinals(stepsOf(included).length + 1) }) // prettier-ignore
  if (step === undefined) return undefined
  const directives = above.map((group) => contents.get(group)?.directives ?? {})
  const tags = [...directives, step.directives].flatMap((each) => each.tags ?? [])
  const [inherited = step] = directives.reduceRight(
    (children: Scenario['children'], given) => inheritDirectives({ directives: given, children }).children,
    [{ ...step, directives: { ...step.directives, ...(tags.length > 0 && { tags }) } }],
  )
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
    children: [...included.children, inherited],
  })
}

/** Reads what is no scenario: directives of groups count for all below them, and blocks would never run. */
function readContext(
  sections: readonly Section[],
  own: ReadonlySet<Section>,
  scope: Scope,
  contents = new Map<Section, Content>(),
): ReadonlyMap<Section, Content> {
  for (const section of sections.filter((one) => !own.has(one))) {
    const content = readOwnContent(section.nodes, section, scope)
    contents.set(section, content)
    for (const block of content.blocks) {
      const message = `\`${section.title}\` is no scenario of the plan, so this block would never run. Move it below the heading of a scenario, or take its mark away.`
      scope.report('block-in-context', block, message)
    }
    readContext(section.children, own, scope, contents)
  }
  return contents
}

/** Lines that tell of a scenario: the text of the headings above it, and what stands beside it and is no scenario. */
function contextOf({ above }: PlannedScenario, outline: Outline, own: ReadonlySet<Section>): readonly SpecLines[] {
  const holds = (section: Section): boolean => own.has(section) || section.children.some(holds)
  const textOf = (section: Section): SpecLines => ({ line: section.line, endLine: section.nodes.at(-1)?.position?.end.line ?? section.line }) // prettier-ignore
  const besides = (sections: readonly Section[]): readonly SpecLines[] =>
    sections.filter((section) => !holds(section)).map(({ line, endLine }) => ({ line, endLine }))
  return [
    ...preambleAbove(outline, []),
    ...besides(outline.sections),
    ...above.flatMap((section) => [textOf(section), ...besides(section.children)]),
  ].toSorted((one, other) => one.line - other.line)
}
