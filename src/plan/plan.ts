import type { SpecsConfig } from './specs-config.ts'
import type { SpecSettings } from './options/spec-settings.ts'
import type { ReplayPlan } from './recordings/replay.ts'
import type { Scenario, Spec } from '../spec/spec.ts'

/** A generated module hands it to the runtime, as JSON. */
export interface Plan {
  readonly spec: Spec
  readonly settings: SpecSettings
  /** Scenarios that share nothing run side by side: their agent has a browser of its own, and no more. */
  readonly isSideBySide?: true
  readonly replay?: ReplayPlan
  readonly record?: RecordPlan
  /** SHA-256 of the spec and of included files, by absolute path. */
  readonly hashes: Readonly<Record<string, string>>
}

interface RecordPlan {
  /** Keys of the steps by id, for each scenario in order. */
  readonly keys: readonly Readonly<Record<string, string>>[]
  readonly command?: SpecsConfig['record']
  /** The recording has steps that the spec has not, as they are. */
  readonly mayHaveObsolete: boolean
  /** Texts of the spec and of included files, in one. */
  readonly known: string
}

/** As they are run at first: with recorded blocks, where there are some. */
export function scenariosOf({ spec, replay }: Pick<Plan, 'spec' | 'replay'>): readonly Scenario[] {
  return spec.scenarios.map((scenario) => replay?.scenarios[scenario.ordinal] ?? scenario)
}

/** One word: Vite would map each quote and bracket of JSON to the markdown. */
export function encodePlan(plan: Plan): string {
  return Buffer.from(JSON.stringify(plan)).toString('base64url')
}

export function decodePlan(encoded: string): Plan {
  return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Plan // encoded above
}
