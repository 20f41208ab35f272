import { createTitleList, type TitleList } from '../../sections/unique-titles.ts'
import type { ScenarioGroup } from '../../spec.ts'

/** Titles in a feature: unique below each heading, and those of scenarios in the whole file. */
export class FeatureTitles {
  readonly #scenarios = createTitleList()
  readonly #steps = new Map<ScenarioGroup | undefined, TitleList>()
  readonly #groups = new Map<ScenarioGroup | undefined, TitleList>()
  readonly #known = new Map<number, ScenarioGroup>()

  /** The title of a scenario in the file. */
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
