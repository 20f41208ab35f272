import { resolveOptions } from '../../plan/options/resolve-options.ts'
import type { SpecSettings } from '../../plan/options/spec-settings.ts'
import type { Assurance } from '../../records/outcome.ts'

/** Limits of a spec, named as the options are. */
export interface Limits {
  readonly hardTimeoutMs?: number
  readonly silenceTimeoutMs?: number
  readonly blockTimeoutMs?: number
  readonly maxCostUsd?: number
  readonly maxTokens?: number
  readonly minAssurance?: Assurance
}

const ofAgent = ['hardTimeoutMs', 'silenceTimeoutMs', 'maxCostUsd', 'maxTokens', 'minAssurance'] as const // literal keys

/** The limits that differ from the defaults; those of the agent only where it acts. */
export function limitsOf({ policy, ...settings }: SpecSettings, { hasAgent }: { readonly hasAgent: boolean }): Limits {
  const limits = { ...settings, minAssurance: policy.minAssurance }
  const defaults = resolveOptions({})
  const names = [...(hasAgent ? ofAgent : []), 'blockTimeoutMs' as const] // a literal key
  const changed = names.filter((name) => limits[name] !== undefined && limits[name] !== defaults[name])
  return Object.fromEntries(changed.map((name) => [name, limits[name]])) as Limits // each under its own name
}
