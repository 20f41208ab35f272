import type { SpecSettings } from './options/spec-settings.ts'
import type { Spec } from '../spec/spec.ts'

/** What a generated module hands to the runtime, as JSON. */
export interface Plan {
  readonly spec: Spec
  readonly settings: SpecSettings
  /** SHA-256 of the spec and of what it includes, as they were read, in hexadecimal; by absolute path. */
  readonly hashes: Readonly<Record<string, string>>
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
