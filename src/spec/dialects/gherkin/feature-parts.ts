import type { Background, Feature, FeatureChild, Location, Rule, Scenario, Tag } from '@cucumber/messages'
import type { SpecLines, Requirement, Scenario as OwnScenario, ScenarioGroup } from '../../spec.ts'
import { createTitleList, type TitleList } from '../../sections/build-sections.ts'
import { RequirementList, type StatedRequirement } from '../apart.ts'

export interface PlacedScenario {
  readonly scenario: Scenario
  readonly endLine: number
  readonly rule?: PlacedRule
  readonly context: readonly SpecLines[]
  readonly backgrounds: readonly SpecLines[]
}

interface PlacedRule extends Pick<Rule, 'name' | 'location'> {
  readonly endLine: number
}

interface Above extends Pick<PlacedScenario, 'context' | 'backgrounds' | 'rule'> {
  readonly end: number
}

/** Gherkin says where something begins: it ends where the next begins, or what holds it ends. */
export class FeatureLines {
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  scenariosOf(feature: Feature): readonly PlacedScenario[] {
    return this.#scenariosIn(feature, { end: this.#lines.length + 1, context: [], backgrounds: [] })
  }

  /** From a line to the last one before another that says something. */
  upTo(next: number, { line }: Pick<Location, 'line'>): SpecLines {
    let endLine = next - 1
    while (endLine > line && /^\s*(?:#.*)?$/.test(this.#lines[endLine - 1] ?? '')) endLine -= 1
    return { line, endLine }
  }

  #scenariosIn(
    { location, children }: Pick<Feature, 'location' | 'children'> | Rule,
    { end, ...above }: Above,
  ): readonly PlacedScenario[] {
    const all: readonly FeatureChild[] = children
    const firsts = all.map(firstLineOf)
    const context = [...above.context, this.upTo(firsts[0] ?? end, location)]
    let { backgrounds } = above
    return all.flatMap(({ background, rule, scenario }, index): readonly PlacedScenario[] => {
      const next = firsts[index + 1] ?? end
      if (background && saysSomething(background)) backgrounds = [...backgrounds, this.upTo(next, background.location)]
      if (rule) {
        const { endLine } = this.upTo(next, rule.location)
        return this.#scenariosIn(rule, { end: next, context, backgrounds, rule: { ...rule, endLine } })
      }
      if (!scenario) return []
      return [{ ...above, context, backgrounds, scenario, endLine: this.upTo(next, scenario.location).endLine }]
    })
  }
}

/** Tags stand above what they belong to. */
export function firstLine({ location, tags }: { readonly location: Location; readonly tags: readonly Tag[] }): number {
  return Math.min(location.line, ...tags.map((tag) => tag.location.line))
}

function firstLineOf({ background, rule, scenario }: FeatureChild): number {
  const tagged = rule ?? scenario
  return tagged ? firstLine(tagged) : (background?.location.line ?? 1)
}

function saysSomething({ steps, description }: Background): boolean {
  return steps.length > 0 || description !== ''
}

/** What a feature asks for: each of its rules, and the feature itself where scenarios are in no rule. */
export class FeatureRequirements {
  readonly #feature: Feature
  readonly #list: RequirementList
  readonly #titles = createTitleList()
  readonly #known = new Map<number, StatedRequirement>()

  constructor(feature: Feature, lines: readonly string[]) {
    this.#feature = feature
    this.#list = new RequirementList(lines)
  }

  /** What a scenario proves. @param own its lines, with those of its background */
  provedBy({ rule, context }: PlacedScenario, own: readonly SpecLines[]): OwnScenario['proves'] {
    return this.#list.provedBy(own, [this.#asked(rule ?? this.#feature, context.slice(-1))])
  }

  listAll(): readonly Requirement[] {
    for (const { rule } of this.#feature.children) if (rule) this.#asked(rule, [])
    return this.#list.all
  }

  #asked(
    { name, location: { line, column = 1 } }: Pick<Feature, 'name' | 'location'>,
    said: readonly SpecLines[],
  ): StatedRequirement {
    const known = this.#known.get(line)
    if (known !== undefined) return known
    const title = this.#titles.add(name.replace(/\s+/g, ' ').trim())
    const asked = this.#list.add({ title, line, column }, said)
    this.#known.set(line, asked)
    return asked
  }
}

/** Titles in a feature: unique below each heading, and those of scenarios in the whole file. */
export class FeatureTitles {
  readonly #scenarios = createTitleList()
  readonly #steps = new Map<ScenarioGroup | undefined, TitleList>()
  readonly #groups = new Map<ScenarioGroup | undefined, TitleList>()
  readonly #known = new Map<number, ScenarioGroup>()

  ofScenario(title: string): string {
    return this.#scenarios.add(oneLine(title))
  }

  /** The title of its test. @param group what it is directly in */
  ofStep(title: string, group: ScenarioGroup | undefined): string {
    return listIn(this.#steps, group).add(oneLine(title))
  }

  /** The group at a line: the same one for all that stands in it. @param parent what it is directly in */
  group(asWritten: ScenarioGroup, parent?: ScenarioGroup): ScenarioGroup {
    const known = this.#known.get(asWritten.line)
    if (known !== undefined) return known
    const group = { ...asWritten, title: listIn(this.#groups, parent).add(oneLine(asWritten.title)) }
    this.#known.set(group.line, group)
    return group
  }
}

function listIn(lists: Map<ScenarioGroup | undefined, TitleList>, group: ScenarioGroup | undefined): TitleList {
  const list = lists.get(group) ?? createTitleList()
  lists.set(group, list)
  return list
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
