import type { Conversation, ToolResult } from '../conversation.ts'
import type { ModelScript } from '../model-server.ts'
import { readCommandResult, readFileResult, type CommandResult, type ModelAction } from '../tool-dialect.ts'
import { readTask } from './read-task.ts'
import { callOwn, playTurn, type Turn } from './report-spec.ts'

/**
 * A model that carries out a scenario of OpenSpec: it reads the spec and what is said of how the product is run, runs the
 * commands of GIVEN and WHEN, compares what they print with each THEN and AND, quotes that, and reports. No outcome is
 * written here: the same script passes on a right program and fails on a broken one.
 */
export const carryOutClauses: ModelScript = playTurn(carryOut)

interface Clause {
  readonly isCheck: boolean
  readonly text: string
}

interface CheckReport {
  readonly n: number
  readonly status: 'pass' | 'fail' | 'blocked'
  readonly observed: string
  readonly evidence: readonly { readonly quote: string }[]
}

function* carryOut(conversation: Conversation): Turn {
  const task = readTask(conversation.prompt)
  const [step] = task?.steps ?? []
  if (task === undefined || step === undefined) return 'The prompt names no specification and no step.'
  let context = ''
  for (const file of task.includedFiles) context += readFileResult(yield { kind: 'read', file }, conversation)
  const text = readFileResult(yield { kind: 'read', file: task.specFile }, conversation)
  const [, alias = '', program = ''] = /`(\w+)` stands for `([^`]+)`/.exec(context) ?? []
  const run = function* (named: string): Generator<ModelAction, CommandResult, ToolResult> {
    const command = named.replace(new RegExp(`^${alias}\\b`), program)
    return readCommandResult(yield { kind: 'command', command }, conversation)
  }
  let last: CommandResult | undefined
  const checks: CheckReport[] = []
  for (const clause of clausesOf(text, step.title)) {
    const named = /`(cart [^`]+)` (?:has run|runs|prints|does not print)/.exec(clause.text)?.[1]
    if (!clause.isCheck) {
      if (named !== undefined) last = yield* run(named)
      continue
    }
    const seen = named === undefined ? last : yield* run(named)
    checks.push({ n: checks.length + 1, ...judge(clause.text, seen) })
  }
  const worst = checks.find(({ status }) => status !== 'pass') ?? checks.at(-1)
  const { status = 'blocked', observed = 'there is no such scenario', evidence = [] } = worst ?? {}
  yield callOwn('report_step', { step: step.id, status, observed, evidence, checks })
  return 'The scenario is done.'
}

function clausesOf(text: string, title: string): readonly Clause[] {
  const section = text.split(/^(?=#{1,6} )/m).find((one) => one.startsWith(`#### Scenario: ${title}\n`)) ?? ''
  let isCheck = false
  return [...section.matchAll(/^- \*\*(\w+)\*\* (.+)$/gm)].map(([, word = '', clause = '']) => {
    if (word !== 'AND') isCheck = word === 'THEN'
    return { isCheck, text: clause }
  })
}

function judge(check: string, seen: CommandResult | undefined): Omit<CheckReport, 'n'> {
  if (seen?.kind !== 'ran') return { status: 'blocked', observed: 'the command was not run', evidence: [] }
  const output = seen.output.trim()
  const evidence = output === '' ? [] : [{ quote: output }]
  const exit = /exit code is `(\d+)`/.exec(check)?.[1]
  if (exit !== undefined) {
    const isRight = seen.exitCode === Number(exit)
    return { status: isRight ? 'pass' : 'fail', observed: `exit code ${seen.exitCode}`, evidence }
  }
  const words = /(?:prints|does not print) `([^`]+)`/.exec(check)?.[1]
  if (words === undefined) return { status: 'blocked', observed: 'this check is not understood', evidence }
  const isRight = output.split('\n').some((line) => line.includes(words)) !== check.includes('does not print')
  return { status: isRight ? 'pass' : 'fail', observed: `it printed: ${output}`, evidence }
}
