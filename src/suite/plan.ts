import type { SpecSettings } from '../options/spec-settings.ts'
import type { Spec } from '../spec/spec.ts'

/** What a generated module hands to the runtime, as JSON. */
export interface Plan {
  readonly spec: Spec
  readonly settings: SpecSettings
  /** SHA-256 of the spec and of what it includes, as they were read, in hexadecimal; by absolute path. */
  readonly hashes: Readonly<Record<string, string>>
}
