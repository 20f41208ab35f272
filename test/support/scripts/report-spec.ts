import type { Conversation, ToolResult } from '../conversation.ts'
import type { ModelReply, ModelScript } from '../model-server.ts'
import { callFor, readCommandResult, readFileResult } from '../tool-dialect.ts'
import type { CommandResult, ModelAction } from '../tool-dialect.ts'
import { readClauses } from './read-clauses.ts'
import { readSpecText, type SpecSection } from './read-spec-text.ts'
import { readTask, type Task } from './read-task.ts'
import { judgeSection } from './write-log.ts'

export type Report = Readonly<Record<string, unknown>> & { readonly step: string; readonly status: string }

/** What a tester would report, and what this one reports instead: none, one or several reports. */
export type Bend = (
  report: Report,
  at: { readonly index: number; readonly steps: readonly string[] },
) => readonly Report[]

/** What the model wants to do, with what it says of it, and what it says when it is done. */
export type Turn<Result = string> = Generator<ModelAction & { readonly say?: string }, Result, ToolResult>

/**
 * A model that does what the prompt asks of an agent that reports: reads the spec, and for each step runs the commands
 * its prose names, compares, reports, and does what the answer says. It quotes what the last command printed.
 */
export const reportSpec: ModelScript = reportSpecWith((report) => [report])

/** The same with other reports in place of the right ones. */
export function reportSpecWith(bend: Bend): ModelScript {
  return playTurn((conversation) => carryOut(conversation, bend))
}

/**
 * A script written as a sequence of actions, with last words or another reply at its end. Each request plays it from the
 * start with the results so far.
 */
export function playTurn(open: (conversation: Conversation) => Turn<string | ModelReply>): ModelScript {
  return (conversation): ModelReply => {
    if (conversation.isSideRequest) return { kind: 'answer', text: '{"title":"Scripted run"}' }
    const turn = open(conversation)
    let step = turn.next()
    for (const result of conversation.results) {
      if (step.done) break
      step = turn.next(result)
    }
    if (step.done) return typeof step.value === 'string' ? { kind: 'answer', text: step.value } : step.value
    const text = step.value.say ?? `Next: ${step.value.kind}.`
    return { kind: 'answer', text, calls: [callFor(step.value, conversation)] }
  }
}

/** Calls a tool of mdtest's server. */
export function callOwn(tool: 'report_step' | 'next_step', input: Record<string, unknown> = {}): ModelAction {
  return { kind: 'mcp', server: 'mdtest', tool, input }
}

/** The same for scenarios of OpenSpec; it quotes for each check what was printed for it. */
export const reportClauses: ModelScript = playTurn((conversation) =>
  carryOut(conversation, (report) => [report], { readSections: readClauses, quote: quoteForChecks }),
)

/** How a form of specs is read, and what is quoted for a check, by its number. */
interface Form {
  readonly readSections: (text: string, task: Task) => readonly SpecSection[]
  readonly quote?: typeof quoteForChecks
}

function* carryOut(
  conversation: Conversation,
  bend: Bend,
  { readSections, quote = () => [] }: Form = { readSections: readSpecText },
): Turn {
  const task = readTask(conversation.prompt)
  if (task === undefined) return 'The prompt names no specification and no log.'
  let text = ''
  for (const file of [...task.includedFiles, task.specFile]) {
    text += `${readFileResult(yield { kind: 'read', file }, conversation)}\n`
  }
  const steps = task.steps.map(({ id }) => id)
  let index = 0
  for (const section of readSections(text, task)) {
    const results = yield* tryOut(section, conversation)
    if (section.id === undefined) continue
    const { status, observed, evidence, checks } = judgeSection(section, results)
    const cited = quote(section, results)
    const right = {
      step: section.id,
      status,
      observed,
      evidence,
      checks: checks.map((check) => ({ ...check, ...(cited[check.n] && { evidence: [{ quote: cited[check.n] }] }) })),
    }
    let answer = ''
    for (const report of bend(right, { index, steps })) answer = (yield callOwn('report_step', report)).text
    while (answer.includes('still checks')) answer = (yield callOwn('next_step')).text
    if (answer.includes('Stop:')) return 'I was told to stop.'
    index += 1
  }
  return 'All steps are done.'
}

function* tryOut(
  section: SpecSection,
  conversation: Conversation,
): Generator<ModelAction, CommandResult[], ToolResult> {
  const results: CommandResult[] = []
  const isExitAsked = section.instructions.some(({ kind }) => kind === 'expect-exit')
  for (const instruction of section.instructions) {
    if (instruction.kind !== 'run') continue
    const { command } = instruction
    results.push(readCommandResult(yield { kind: 'command', command, isExitAsked }, conversation))
  }
  return results
}

/** By the number of the check: the line that holds what is looked for, else the last one that was printed. */
function quoteForChecks({ instructions }: SpecSection, results: readonly CommandResult[]): readonly string[] {
  const cited: string[] = []
  let runs = 0
  for (const instruction of instructions) {
    if (instruction.kind === 'run') runs += 1
    const result = results[runs - 1]
    if (instruction.check === undefined || result?.kind !== 'ran') continue
    const lines = result.output.trim().split('\n')
    const found = instruction.kind === 'expect' ? lines.find((line) => line.includes(instruction.text)) : undefined
    cited[instruction.check] = (found ?? lines.at(-1) ?? '').trim()
  }
  return cited
}
