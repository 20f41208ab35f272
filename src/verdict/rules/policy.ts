import type { EvidencePolicy, ScenarioEvidence } from '../verdict.ts'

const defaultPolicy: EvidencePolicy = { evidence: 'auto', minAssurance: 'claimed' }

/** The policy that a scenario is judged by. */
export function policyOf({ policy }: ScenarioEvidence): EvidencePolicy {
  return policy ?? defaultPolicy
}
