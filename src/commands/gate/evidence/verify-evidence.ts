import { z } from 'zod'
import { readConsoleCounts } from '../../../test-runners/console-counts.ts'
import { type GateConfig, gateNames, type GateName } from '../../project-config/gate-config.ts'
import type { GateEvidence, GateResults, TestEvidence } from './gate-results.ts'
import { unseen, type GateRun, type GateRuns } from '../gates/run-gates.ts'
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
    concerns: [...findings.flatMap(({ concerns }) => concerns), ...doubtsOfFixes(results), ...unknown],
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
  const { status } = evidence
  if (status === 'fail') return { status, concerns: [`${name}: failed.`] }
  const contradictions = status === 'pass' ? contradictionsOfPass(evidence) : failuresIn(evidence)
  if (contradictions.length > 0) {
    const claim = status === 'pass' ? 'pass' : 'be skipped'
    return { status: 'fail', concerns: contradictions.map((each) => `${name}: said to ${claim}, but ${each}.`) }
  }
  if (status === 'pass') return { status, concerns: doubtsOf(evidence, command).map((each) => `${name}: ${each}.`) }
  return { status, concerns: command === undefined ? [] : [`${name}: skipped, although \`${command}\` is configured.`] }
}

function contradictionsOfPass(evidence: GateEvidence | TestEvidence): readonly string[] {
  return [
    ...(evidence.exit_code === null ? ['exit_code is null'] : []),
    ...(evidence.command === null ? ['no command was run'] : []),
    ...failuresIn(evidence),
    ...('attempts' in evidence && evidence.attempts === 0 ? ['attempts is 0'] : []),
  ]
}

/** What else in it tells of a failure. */
function failuresIn(evidence: GateEvidence | TestEvidence): readonly string[] {
  const { exit_code: exitCode } = evidence
  const exit = exitCode === null || exitCode === 0 ? [] : [`exit_code is ${exitCode}`]
  if (!('attempts' in evidence)) return exit
  const { fail_count: failed, failing_tests: names, output } = evidence
  const told = readConsoleCounts(output)?.failed ?? 0
  return [
    ...exit,
    ...(failed !== null && failed > 0 ? [`fail_count is ${failed}`] : []),
    ...(names.length > 0 ? [`failing_tests names ${names.length}`] : []),
    ...(told > 0 ? [`its output tells of ${told} failed`] : []),
  ]
}

function doubtsOf(evidence: GateEvidence | TestEvidence, command: string | undefined): readonly string[] {
  const isOther = command !== undefined && evidence.command !== command
  const isEmpty = 'pass_count' in evidence && evidence.pass_count === 0 && evidence.fail_count === 0
  return [
    ...(isOther ? [`\`${evidence.command}\` was run, and \`${command}\` is configured`] : []),
    ...(isEmpty ? ['no test was executed'] : []),
    ...('pass_count' in evidence ? concernsOf(evidence) : []),
  ]
}

/** Those that it tells of itself, and what it lacks. */
function concernsOf({ concerns = [], pass_count: passed, fail_count: failed }: TestEvidence): readonly string[] {
  const isUnseen = passed === null && failed === null
  return [...new Set([...concerns, ...(isUnseen ? [unseen] : [])])]
}

/** Who leaves a gate red has to have tried, and who says that all is green has succeeded last. Attempts for all gates are in the evidence of `test`. */
function doubtsOfFixes(results: GateResults['gate_results']): readonly string[] {
  const failed = gateNames.filter((name) => results[name]?.status === 'fail')
  const last = results.test?.fix_attempts.at(-1)?.result
  if (failed.length > 0) return last === undefined ? [`${failed.join(', ')}: failed, and no fix was attempted.`] : []
  return last === undefined || last === 'pass' ? [] : [`test: no gate failed, but the last fix is \`${last}\`.`]
}

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
