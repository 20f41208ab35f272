import type { CommandResult } from '../tool-dialect.ts'
import type { SpecSection } from './read-spec-text.ts'
import type { Task } from './read-task.ts'

type Status = 'pass' | 'fail' | 'blocked'

interface Finding {
  readonly status: Status
  readonly observed: string
  readonly check?: number
}

export interface SectionOutcome extends Finding {
  readonly id?: string
  /** What the last command printed. */
  readonly evidence: readonly { readonly quote: string }[]
  readonly checks: readonly (Finding & { readonly n: number; readonly evidence: SectionOutcome['evidence'] })[]
}

/** By the text of a check: whether the outputs of its step's commands, in order, meet it. */
export type Judgements = Readonly<Record<string, (...outputs: readonly string[]) => boolean>>

/** Compares what a section expects with what its commands returned. */
export function judgeSection(
  section: SpecSection,
  results: readonly CommandResult[],
  judgements: Judgements = {},
): SectionOutcome {
  const findings: Finding[] = []
  let used = 0
  let last: CommandResult | undefined
  const expectsExit = section.instructions.some(({ kind }) => kind === 'expect-exit')
  for (const instruction of section.instructions) {
    const check = instruction.check === undefined ? {} : { check: instruction.check }
    if (instruction.kind === 'run') {
      last = results[used]
      used += 1
      findings.push({ ...judgeRun(last, expectsExit), ...check })
    } else if (last === undefined || last.kind === 'refused') {
      findings.push({ status: 'blocked', observed: 'nothing was run to compare with', ...check })
    } else if (instruction.kind === 'expect') {
      const isRight = last.output.includes(instruction.text) !== instruction.isAbsent
      findings.push({ status: isRight ? 'pass' : 'fail', observed: `printed: ${last.output.trim()}`, ...check })
    } else {
      const isRight = last.exitCode === instruction.exitCode
      findings.push({ status: isRight ? 'pass' : 'fail', observed: `exit code ${last.exitCode}`, ...check })
    }
  }
  const printed = last?.kind === 'ran' ? last.output.trim() : ''
  const evidence = printed === '' ? [] : [{ quote: printed }]
  const checks = section.checks.map((text, index) => {
    const own = findings.filter((finding) => finding.check === index + 1)
    return {
      n: index + 1,
      evidence,
      ...sum([...own, ...judgeFreely(judgements[text], results)], 'this check is not understood'),
    }
  })
  const total = sum([...findings, ...checks], 'this step is not understood')
  return { ...(section.id === undefined ? {} : { id: section.id }), ...total, evidence, checks }
}

function judgeFreely(isMet: Judgements[string] | undefined, results: readonly CommandResult[]): readonly Finding[] {
  if (isMet === undefined) return []
  const outputs = results.flatMap((result) => (result.kind === 'ran' ? [result.output] : []))
  if (outputs.length < results.length) return [{ status: 'blocked', observed: 'a command was refused' }]
  return [{ status: isMet(...outputs) ? 'pass' : 'fail', observed: `printed: ${outputs.join('').trim()}` }]
}

function judgeRun(result: CommandResult | undefined, expectsExit: boolean): Finding {
  if (result === undefined) return { status: 'blocked', observed: 'the command was not run' }
  if (result.kind === 'refused') return { status: 'blocked', observed: `refused: ${result.text.trim()}` }
  const isRight = result.exitCode === 0 || expectsExit
  return {
    status: isRight ? 'pass' : 'fail',
    observed: `exit code ${result.exitCode}, printed: ${result.output.trim()}`,
  }
}

function sum(findings: readonly Finding[], otherwise: string): Finding {
  for (const status of ['blocked', 'fail', 'pass'] as const) {
    const found = findings.filter((finding) => finding.status === status)
    // Of what went wrong the first says why; of what went right the last says most.
    const telling = status === 'pass' ? found.at(-1) : found[0]
    if (telling !== undefined) return { status, observed: telling.observed }
  }
  return { status: 'blocked', observed: otherwise }
}

/** The result log. A string in JSON is one in YAML too. */
export function writeLog(task: Task, outcomes: readonly SectionOutcome[]): string {
  const isPass = outcomes.length > 0 && outcomes.every(({ status }) => status === 'pass')
  const steps = outcomes.flatMap((outcome) => (outcome.id === undefined ? [] : stepLines(outcome.id, outcome)))
  return [
    '---',
    `status: ${isPass ? 'pass' : 'fail'}`,
    `run: ${JSON.stringify(task.runId)}`,
    'steps:',
    ...steps,
    '---',
    '',
    `Carried out ${outcomes.length} sections of ${task.specFile}.`,
    '',
  ].join('\n')
}

function stepLines(id: string, { status, observed, evidence, checks }: SectionOutcome): string[] {
  return [
    `  - id: ${JSON.stringify(id)}`,
    `    status: ${status}`,
    `    observed: ${JSON.stringify(observed)}`,
    `    evidence: ${JSON.stringify(evidence)}`,
    ...(checks.length > 0 ? ['    checks:'] : []),
    ...checks.map(
      (check) =>
        `      - { n: ${check.n}, status: ${check.status}, observed: ${JSON.stringify(check.observed)}, evidence: ${JSON.stringify(check.evidence)} }`,
    ),
  ]
}
