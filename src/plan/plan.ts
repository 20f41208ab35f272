import type { SpecsConfig } from './specs-config.ts'
import type { SpecSettings } from './options/spec-settings.ts'
import type { ReplayPlan } from './recordings/replay.ts'
import type { Scenario, Spec } from '../spec/spec.ts'

/** What a generated module hands to the runtime, as JSON. */
export interface Plan {
  readonly spec: Spec
  readonly settings: SpecSettings
  /** Scenarios that share nothing run side by side, because their agent has nothing but a browser of its own. */
  readonly isSideBySide?: true
  readonly replay?: ReplayPlan
  readonly record?: RecordPlan
  /** SHA-256 of the spec and of what it includes, as they were read, in hexadecimal; by absolute path. */
  readonly hashes: Readonly<Record<string, string>>
}

export interface RecordPlan {
  /** Keys of the steps by id, for each scenario in order. */
  readonly keys: readonly Readonly<Record<string, string>>[]
  /** What `mdtest record` is to do; absent where another command runs the spec. */
  readonly command?: SpecsConfig['record']
  /** Whether the recording has steps that the spec has not, as they are. */
  readonly mayHaveObsolete: boolean
  /** Texts of the spec and of what it includes, in one. */
  readonly known: string
}

/** The scenarios of a spec as they are run at first: with recorded blocks, where there are some. */
export function scenariosOf({ spec, replay }: Pick<Plan, 'spec' | 'replay'>): readonly Scenario[] {
  return spec.scenarios.map((scenario) => replay?.scenarios[scenario.ordinal] ?? scenario)
}

/**
 * A plan as one word. As JSON it would be most of the module, and Vite would map each of its quotes and brackets to the
 * markdown one by one.
 */
export function encodePlan(plan: Plan): string {
  return Buffer.from(JSON.stringify(plan)).toString('base64url')
}

export function decodePlan(encoded: string): Plan {
  return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Plan // encoded above
}
