import type { Scenario, ScenarioGroup } from '../spec/spec.ts'

/** What of the groups of a spec ends and begins where a scenario begins. */
interface GroupChange {
  /** The innermost first. */
  readonly closed: readonly ScenarioGroup[]
  /** The outermost first. */
  readonly opened: readonly ScenarioGroup[]
}

/** Follows the groups of scenarios through a spec, scenario by scenario. */
export class OpenGroups {
  #open: readonly ScenarioGroup[] = []

  /** The next scenario begins. */
  enter({ groups = [] }: Pick<Scenario, 'groups'>): GroupChange {
    const differs = groups.findIndex((group, index) => group.line !== this.#open[index]?.line)
    const kept = differs === -1 ? groups.length : differs
    const closed = this.#open.slice(kept).toReversed()
    this.#open = groups
    return { closed, opened: groups.slice(kept) }
  }

  /** All scenarios are over. */
  end(): readonly ScenarioGroup[] {
    return this.enter({}).closed
  }
}
