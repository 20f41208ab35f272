import type { Feature } from '@cucumber/messages'
import type { Requirement, Scenario, SpecLines } from '../../spec.ts'
import { createTitleList } from '../../sections/unique-titles.ts'
import { RequirementList, type StatedRequirement } from '../requirement-list.ts'
import type { PlacedScenario } from './feature-lines.ts'

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
  provedBy({ rule, context }: PlacedScenario, own: readonly SpecLines[]): Scenario['proves'] {
    return this.#list.provedBy(own, [this.#asked(rule ?? this.#feature, context.slice(-1))])
  }

  /** Those of the scenarios that were asked about, and rules that have no scenario. */
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
