import { z } from 'zod'
import type { GateConfig } from './gate-config.ts'
import { gateNames, type GateEvidence, type GateName, type GateResults, type TestEvidence } from './gate-results.ts'

const validated = z.enum(['pass', 'fail', 'skipped', 'missing'])

/** What `mdtest gate --verify` prints. */
export const validationSchema = z.object({
  pass: z.boolean().describe('false: the evidence is rejected.'),
  gate_validation: z.object({ compile: validated, lint: validated, test: validated }),
  concerns: z.array(z.string()).describe('What a person should look at, also where nothing is rejected.'),
})

export type Validation = z.infer<typeof validationSchema>
export type GateValidation = Validation['gate_validation']

/**
 * Judges evidence without believing it: a gate that failed, or that contradicts itself, rejects it. What is missing or was
 * skipped does not, but is a concern where the project has a command for it. Pure.
 *
 * @param commands what the project has configured; `undefined` where it is not known
 */
export function verifyEvidence(
  { gate_results: results }: GateResults,
  commands: GateConfig['commands'] | undefined,
): Validation {
  const findings = gateNames.map((name) => ({ name, ...judge(name, results[name], commands?.[name]?.shown) }))
  const statuses = findings.map(({ name, status }) => [name, status] as const) // a pair
  const unknown =
    commands === undefined ? ['No configuration of gates was found: it is not known which there have to be.'] : []
  return {
    pass: findings.every(({ status }) => status !== 'fail'),
    gate_validation: Object.fromEntries(statuses) as GateValidation, // of all gates
    concerns: [...findings.flatMap(({ concerns }) => concerns), ...missingFixes(results), ...unknown],
  }
}

/** `{ pass, gate_validation, concerns }` of a file that is no evidence. */
export function rejectFile(why: string): Validation {
  return { pass: false, gate_validation: { compile: 'missing', lint: 'missing', test: 'missing' }, concerns: [why] }
}

interface Finding {
  readonly status: z.infer<typeof validated>
  readonly concerns: readonly string[]
}

function judge(
  name: GateName,
  evidence: GateEvidence | TestEvidence | undefined,
  command: string | undefined,
): Finding {
  if (evidence === undefined) {
    return {
      status: 'missing',
      concerns: command === undefined ? [] : [`${name}: no evidence, although \`${command}\` is configured.`],
    }
  }
  if (evidence.status === 'fail') return { status: 'fail', concerns: [`${name}: failed.`] }
  if (evidence.status === 'skipped') {
    return {
      status: 'skipped',
      concerns: command === undefined ? [] : [`${name}: skipped, although \`${command}\` is configured.`],
    }
  }
  const contradictions = [
    ...contradictionsOf(evidence),
    ...('pass_count' in evidence ? contradictionsOfTests(evidence) : []),
  ]
  if (contradictions.length > 0) {
    return { status: 'fail', concerns: contradictions.map((each) => `${name}: said to pass, but ${each}.`) }
  }
  return { status: 'pass', concerns: doubtsOf(evidence, command).map((each) => `${name}: ${each}.`) }
}

function contradictionsOf({ exit_code: exitCode, command }: GateEvidence): readonly string[] {
  return [...(exitCode === 0 ? [] : [`exit_code is ${exitCode}`]), ...(command === null ? ['no command was run'] : [])]
}

function contradictionsOfTests(evidence: TestEvidence): readonly string[] {
  const { fail_count: failed, failing_tests: names, attempts } = evidence
  return [
    ...(failed !== null && failed > 0 ? [`fail_count is ${failed}`] : []),
    ...(names.length > 0 ? [`failing_tests names ${names.length}`] : []),
    ...(attempts === 0 ? ['attempts is 0'] : []),
  ]
}

function doubtsOf(evidence: GateEvidence | TestEvidence, command: string | undefined): readonly string[] {
  const isOther = command !== undefined && evidence.command !== command
  const isEmpty = 'pass_count' in evidence && evidence.pass_count === 0 && evidence.fail_count === 0
  return [
    ...(isOther ? [`\`${evidence.command}\` was run, and \`${command}\` is configured`] : []),
    ...(isEmpty ? ['no test was executed'] : []),
  ]
}

/** Who leaves a gate red has to have tried. Attempts for all gates are in the evidence of `test`. */
function missingFixes(results: GateResults['gate_results']): readonly string[] {
  const failed = gateNames.filter((name) => results[name]?.status === 'fail')
  const attempts = results.test?.fix_attempts ?? []
  return failed.length > 0 && attempts.length === 0 ? [`${failed.join(', ')}: failed, and no fix was attempted.`] : []
}
