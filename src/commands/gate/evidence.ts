import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { leftOutSchema } from '../attempt/changes/judge-changes.ts'
import type { CliContext } from '../common/cli.ts'
import type { GateRequest } from './flags.ts'
import { type GateRun, type GateRuns, runGates, unseen, withContext } from './run-gates.ts'
import { type GateCommand, type GateConfig, type GateName, gateNames } from '../project-config/gate-config.ts'
import { findGateConfig, readGateConfig } from '../project-config/read-gate-config.ts'
import { messageOf } from '../../system/error-facts.ts'
import { statsOf } from '../../system/files/paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { plainJson } from '../../system/text/plain-text.ts'
import { toldFailures } from '../../test-runners/console-counts.ts'

export const evidenceFile = 'gate_results.json'

const maxOutputCharacters = 500

const evidence = z.object({
  status: z.enum(['pass', 'fail', 'skipped']).describe('`skipped`: no command is configured.'),
  command: z.string().nullable().default(null).describe('As it was run; null if there is none.'),
  exit_code: z.int().nullable().default(null).describe('null if the command did not end by itself, or there is none.'),
  output: z
    .string()
    .default('')
    .describe(`The first ${maxOutputCharacters} characters of what it printed, without secrets.`),
})

const count = z.int().min(0).nullable().default(null).describe('As read from the output; null if it shows no number.')

const fixAttempt = z.object({
  what_failed: z.string(),
  fix_applied: z.string().describe('What the agent says that it did, and the files that changed.'),
  result: z
    .enum(['pass', 'fail', 'rejected', 'error'])
    .describe(
      'Of all gates, run again. `rejected`: it changed tests or gates, and was undone. `error`: the agent gave no answer.',
    ),
  changed: z.array(z.string()).default([]).describe('Paths of the changes that were judged.'),
  left_out: z
    .array(leftOutSchema)
    .default([])
    .describe('Changes that were not: they judge the product. `--may-change` lets them count.'),
})

const testEvidence = evidence.extend({
  pass_count: count,
  fail_count: count,
  failing_tests: z.array(z.string()).default([]).describe('Names.'),
  attempts: z.int().min(0).default(1).describe('How often the command was run.'),
  fix_attempts: z.array(fixAttempt).default([]).describe('Attempts to fix any of the gates.'),
  concerns: z.array(z.string()).exactOptional().describe('What a person should look at although it is a pass.'),
})

/** Content of `gate_results.json` and output of `--json`. `verifyEvidence` reports gates that are missing. */
export const gateResultsSchema = z.object({
  gate_results: z.object({ compile: evidence.optional(), lint: evidence.optional(), test: testEvidence.optional() }),
})

export type GateResults = z.infer<typeof gateResultsSchema>
export type CompleteResults = Readonly<Record<'compile' | 'lint', GateEvidence>> & { readonly test: TestEvidence }
export type GateEvidence = z.infer<typeof evidence>
export type TestEvidence = z.infer<typeof testEvidence>
export type FixAttempt = z.infer<typeof fixAttempt>

export interface Outcome {
  readonly runs: GateRuns
  readonly attempts: number
  readonly fixAttempts: readonly FixAttempt[]
}

export function toGateResults({ runs, attempts, fixAttempts }: Outcome): CompleteResults {
  const counts = runs.test?.results.counts ?? null
  const { concerns = [] } = runs.test ?? {}
  return {
    compile: toEvidence(runs.compile),
    lint: toEvidence(runs.lint),
    test: {
      ...toEvidence(runs.test),
      pass_count: counts?.passed ?? null,
      fail_count: counts?.failed ?? null,
      failing_tests: [...new Set(runs.test?.results.failingTests.map(({ name }) => name))],
      attempts: runs.test === undefined ? 0 : attempts,
      fix_attempts: [...fixAttempts],
      ...(concerns.length > 0 && { concerns: [...concerns] }),
    },
  }
}

function toEvidence(run: GateRun | undefined): GateEvidence {
  if (run === undefined) return { status: 'skipped', command: null, exit_code: null, output: '' }
  // Write the reason into the evidence, because the exit code may be 0.
  const reason = run.reason === undefined ? '' : `mdtest: ${run.reason}\n`
  return {
    status: run.isPass ? 'pass' : 'fail',
    command: run.command,
    exit_code: run.exitCode,
    output: Array.from(`${reason}${run.head}`.slice(0, 2 * maxOutputCharacters))
      .slice(0, maxOutputCharacters)
      .join(''),
  }
}

const validated = z.enum(['pass', 'fail', 'skipped', 'missing'])

export const validationSchema = z.object({
  pass: z.boolean().describe('false: the evidence is rejected.'),
  gate_validation: z.object({ compile: validated, lint: validated, test: validated }),
  concerns: z.array(z.string()).describe('What a person should look at, even if nothing is rejected.'),
})

export type Validation = z.infer<typeof validationSchema>
type GateValidation = Validation['gate_validation']

const unread = { pass: false, gate_validation: { compile: 'missing', lint: 'missing', test: 'missing' } } as const

export async function verify({ flags, root, file }: GateRequest, cli: CliContext): Promise<boolean> {
  const given = resolve(cli.cwd, flags.verify ?? '')
  const read = await readEvidence(statsOf(given)?.isDirectory() ? join(given, evidenceFile) : given)
  const validation =
    typeof read === 'string' ? { ...unread, concerns: [read] } : await judge(read, { flags, root, file }, cli)
  if (!cli.signal.aborted) cli.stdout.write(`${plainJson(JSON.stringify(validation, undefined, 2))}\n`)
  return validation.pass
}

async function judge(evidence: GateResults, { flags, root, file }: GateRequest, cli: CliContext): Promise<Validation> {
  if (!flags.rerun) return verifyEvidence(evidence, (await findGateConfig({ root, file }))?.commands)
  const { commands, mcpServers } = await readGateConfig({ root, file })
  const claimed = verifyEvidence(evidence, commands)
  return await withContext({ ...cli, root, mcpServers }, async (context) => {
    const runs = await runGates(commands, { run: 1, context })
    return redactTexts(compareRuns(claimed, { claim: evidence.gate_results, runs }), context.redactor.redact)
  })
}

/** Returns a description of the problem if the content is invalid. @throws MdtestError `OPTION_EVIDENCE` */
async function readEvidence(file: string): Promise<GateResults | string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const message = `The evidence ${file} cannot be read (${messageOf(error)}).`
    throw new MdtestError('OPTION_EVIDENCE', message, {
      hint: 'Name a file that `mdtest gate` wrote: `.mdtest/gate/<time>/gate_results.json`.',
      cause: error,
    })
  })
  try {
    const parsed = gateResultsSchema.safeParse(JSON.parse(text.replace(/^\ufeff/, '')))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const place = issue === undefined || issue.path.length === 0 ? 'the file' : `\`${issue.path.join('.')}\``
    return `${file} is no evidence of gates: ${place}: ${issue?.message}.`
  } catch (error: unknown) {
    return `${file} is no evidence of gates: it is not JSON (${messageOf(error)}).`
  }
}

/** Rejects a gate that failed or contradicts itself, and a skipped or missing gate that has a configured command. */
export function verifyEvidence(
  { gate_results: results }: GateResults,
  commands: GateConfig['commands'] | undefined,
): Validation {
  if (commands !== undefined && Object.keys(commands).length === 0)
    return { ...unread, concerns: ['The configuration names no gate.'] }
  const findings = gateNames.map((name) => ({ name, ...judgeGate(name, results[name], commands?.[name]) }))
  const statuses = findings.map(({ name, status }) => [name, status] as const)
  const unknown =
    commands === undefined ? ['No configuration of gates was found: it is not known which there have to be.'] : []
  return {
    pass: findings.every(
      ({ name, status }) => status === 'pass' || (status !== 'fail' && commands?.[name] === undefined),
    ),
    gate_validation: Object.fromEntries(statuses) as GateValidation, // has an entry for each gate
    concerns: [...findings.flatMap(({ concerns }) => concerns), ...doubtsOfFixes(results), ...unknown],
  }
}

function judgeGate(
  name: GateName,
  evidence: GateEvidence | TestEvidence | undefined,
  configured: GateConfig['commands'][GateName],
): { readonly status: z.infer<typeof validated>; readonly concerns: readonly string[] } {
  const command = configured?.shown
  const missing = command === undefined ? [] : [`although \`${command}\` is configured.`]
  if (evidence === undefined)
    return { status: 'missing', concerns: missing.map((words) => `${name}: no evidence, ${words}`) }
  const { status } = evidence
  if (status === 'fail') return { status, concerns: [`${name}: failed.`] }
  const contradictions = contradictionsIn(evidence, configured)
  if (contradictions.length > 0) {
    const claim = status === 'pass' ? 'pass' : 'be skipped'
    return { status: 'fail', concerns: contradictions.map((each) => `${name}: said to ${claim}, but ${each}.`) }
  }
  if (status === 'pass') return { status, concerns: doubtsOf(evidence, command).map((each) => `${name}: ${each}.`) }
  return { status, concerns: missing.map((words) => `${name}: skipped, ${words}`) }
}

function contradictionsIn(
  evidence: GateEvidence | TestEvidence,
  { runner, junit, needsTests = false }: Partial<GateCommand> = {},
): readonly string[] {
  const { status, exit_code: exitCode, command, output } = evidence
  const isPass = status === 'pass'
  const tests = 'attempts' in evidence ? evidence : undefined
  const names = tests?.failing_tests.length ?? 0
  // The counts of a report outweigh the output.
  const isReported = (runner ?? junit) !== undefined && tests?.pass_count != null
  const reported = isReported ? { total: 0, passed: 0, skipped: 0, failed: tests?.fail_count ?? 0 } : undefined
  const told = tests && toldFailures(output, reported)
  return trueOnes([
    [isPass && exitCode === null, 'exit_code is null'],
    [isPass && command === null, 'no command was run'],
    [exitCode !== null && exitCode !== 0, `exit_code is ${exitCode}`],
    [(tests?.fail_count ?? 0) > 0, `fail_count is ${tests?.fail_count}`],
    [names > 0, `failing_tests names ${names}`],
    [told !== undefined, `its output reports ${told}`],
    [isPass && tests?.attempts === 0, 'attempts is 0'],
    [isPass && needsTests && !tests?.pass_count, `pass_count is ${tests?.pass_count}, and tests are \`required\``],
  ])
}

function doubtsOf(evidence: GateEvidence | TestEvidence, command: string | undefined): readonly string[] {
  const isOther = command !== undefined && evidence.command !== command
  const other = `\`${evidence.command}\` was run, and \`${command}\` is configured`
  if (!('pass_count' in evidence)) return trueOnes([[isOther, other]])
  const { pass_count: passed, fail_count: failed, concerns = [] } = evidence
  const doubts = trueOnes([
    [isOther, other],
    [passed === 0 && failed === 0, 'no test was executed'],
  ])
  return [...new Set([...doubts, ...concerns, ...trueOnes([[passed === null && failed === null, unseen]])])]
}

function trueOnes(sentences: readonly (readonly [isTrue: boolean, words: string])[]): readonly string[] {
  return sentences.flatMap(([isTrue, words]) => (isTrue ? [words] : []))
}

function doubtsOfFixes(results: GateResults['gate_results']): readonly string[] {
  const failed = gateNames.filter((name) => results[name]?.status === 'fail')
  const last = results.test?.fix_attempts.at(-1)?.result
  if (failed.length > 0) return last === undefined ? [`${failed.join(', ')}: failed, and no fix was attempted.`] : []
  return last === undefined || last === 'pass' ? [] : [`test: no gate failed, but the last fix is \`${last}\`.`]
}

/** Rejects a gate that failed in the new run or in the evidence. */
export function compareRuns(
  validation: Validation,
  { claim, runs }: { claim: GateResults['gate_results']; runs: GateRuns },
): Validation {
  const compared = gateNames.map((name) => ({ name, red: runs[name]?.isPass === false }))
  const statuses = compared.map(({ name, red }) => [name, red ? 'fail' : validation.gate_validation[name]] as const)
  return {
    pass: validation.pass && compared.every(({ red }) => !red),
    gate_validation: Object.fromEntries(statuses) as GateValidation, // has an entry for each gate
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
