import { describesOf, type Group, type Scenario, type Spec, type Step } from '../../spec/spec.ts'
import type { EndedStep } from '../records/ended-spec.ts'

/** A step of a spec, and where it stands. */
export interface StepPlace {
  readonly scenario: Scenario
  readonly step: Step
  /** Titles of the headings above it, that of its scenario first, and its own. */
  readonly titles: readonly string[]
}

/** All steps of a spec, in order. */
function placesIn({ scenarios }: Spec): readonly StepPlace[] {
  return scenarios.flatMap((scenario) => placesBelow(scenario, describesOf(scenario), scenario))
}

/** Where each ended step stands; nothing for one that the spec does not have: it was changed meanwhile. */
export function placeSteps(steps: readonly EndedStep[], spec: Spec | undefined): readonly (StepPlace | undefined)[] {
  const places = spec === undefined ? [] : placesIn(spec)
  // One test for each step, in order. Titles alone may be written in another way.
  if (places.length === steps.length) return places
  const byTitles = new Map(places.map((place) => [nameOf(place), place]))
  return steps.map((step) => byTitles.get(nameOf(step)))
}

function placesBelow(
  parent: { readonly children: readonly (Group | Step)[] },
  above: readonly string[],
  scenario: Scenario,
): readonly StepPlace[] {
  return parent.children.flatMap((child) => {
    const titles = [...above, child.title]
    return child.kind === 'step' ? [{ scenario, step: child, titles }] : placesBelow(child, titles, scenario)
  })
}

function nameOf({ titles }: { readonly titles: readonly string[] }): string {
  return titles.join('\n')
}
