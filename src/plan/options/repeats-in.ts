import type { Repeats, Scenario } from '../../spec/spec.ts'
import type { SpecSettings } from './spec-settings.ts'

/** How often a scenario is run. */
export function repeatsIn({ repeats }: Pick<Scenario, 'repeats'>, settings: Pick<SpecSettings, 'repeats'>): Repeats {
  return repeats ?? settings.repeats
}
