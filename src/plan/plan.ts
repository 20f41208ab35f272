import type { SpecsConfig } from './specs-config.ts'
import type { SpecSettings } from './options/spec-settings.ts'
import type { ReplayPlan } from './recordings/replay.ts'
import type { Scenario, Spec } from '../spec/spec.ts'

/** A spec with its settings. The generated module passes it to the runtime as JSON. */
export interface Plan {
  readonly spec: Spec
  readonly settings: SpecSettings
  /** Scenarios with `isApart` may run at once, because the agent of each scenario uses only its own browser. */
  readonly isSideBySide?: true
  readonly replay?: ReplayPlan
  readonly record?: RecordPlan
  /** SHA-256 of the spec and of each file read for it, by absolute path. */
  readonly hashes: Readonly<Record<string, string>>
}

interface RecordPlan {
  /** Recording keys: for each scenario, the key of each step, by step id. */
  readonly keys: readonly Readonly<Record<string, string>>[]
  readonly command?: SpecsConfig['record']
  /** Whether the recording has steps whose wording is no longer in the spec. */
  readonly mayHaveObsolete: boolean
  /** Text of the spec, followed by the texts of its included files. */
  readonly known: string
}

/** The scenarios of the first attempt, with recorded blocks in place of the agent where they exist. */
export function scenariosOf({ spec, replay }: Pick<Plan, 'spec' | 'replay'>): readonly Scenario[] {
  return spec.scenarios.map((scenario) => replay?.scenarios[scenario.ordinal] ?? scenario)
}

/** Base64: for plain JSON, Vite's source map would have an entry for each quote and bracket. */
export function encodePlan(plan: Plan): string {
  return Buffer.from(JSON.stringify(plan)).toString('base64url')
}

export function decodePlan(encoded: string): Plan {
  return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Plan // encoded above
}
