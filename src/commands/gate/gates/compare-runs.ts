import { gateNames, type GateName } from '../../project-config/gate-names.ts'
import { type GateResults } from '../evidence/gate-results.ts'
import type { GateRun } from './run-gate.ts'
import type { GateRuns } from './run-gates.ts'
import type { GateValidation, Validation } from '../evidence/verify-evidence.ts'

/**
 * Holds a claim against what the same commands did when they were run again: what is red now is rejected, whatever was
 * claimed. What was claimed to fail stays rejected. Pure.
 */
export function compareRuns(
  validation: Validation,
  { claim, runs }: { readonly claim: GateResults['gate_results']; readonly runs: GateRuns },
): Validation {
  const compared = gateNames.map((name) => ({ name, red: runs[name]?.isPass === false }))
  const statuses = compared.map(({ name, red }) => [name, red ? 'fail' : validation.gate_validation[name]] as const) // a pair
  return {
    pass: validation.pass && compared.every(({ red }) => !red),
    gate_validation: Object.fromEntries(statuses) as GateValidation, // of all gates
    concerns: [...validation.concerns, ...gateNames.flatMap((name) => differences(name, runs[name], claim))],
  }
}

function differences(name: GateName, run: GateRun | undefined, claim: GateResults['gate_results']): readonly string[] {
  if (run === undefined) return []
  const claimed = claim[name]?.status ?? 'missing'
  if (!run.isPass && claimed !== 'fail') {
    const why = run.reason ?? `exit code ${run.exitCode}`
    return [`${name}: claimed ${claimed}, run again it failed (${why.replace(/\.$/, '')}).`]
  }
  if (run.isPass && claimed === 'fail') return [`${name}: claimed fail, run again it passed.`]
  return name === 'test' ? countDifferences(run, claim.test) : []
}

function countDifferences({ results }: GateRun, claim: GateResults['gate_results']['test']): readonly string[] {
  const passed = results.counts?.passed
  const claimed = claim?.pass_count ?? undefined
  if (passed === undefined || claimed === undefined || passed === claimed) return []
  return [`test: claimed ${claimed} passed, run again ${passed} did.`]
}
