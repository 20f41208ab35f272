import type { Conversation } from '../conversation.ts'
import type { ModelScript } from '../model-server.ts'
import type { BrowserScript } from './browser-moves.ts'
import { readNotes } from './notes.ts'
import { readSteps } from './read-task.ts'
import { callOwn, playTurn, type Bend, type Turn } from './report-spec.ts'
import { say, tryMoves, type Outcome } from './try-moves.ts'

/** Scripts by the name of the spec up to its first dot, or by what else names them. */
export type BrowserScripts = Readonly<Record<string, BrowserScript>>

/**
 * A model that carries out browser specs by these scripts, whoever drives the browser: it finds elements by role and name
 * on the last page that it was shown, looks for the lines that a step is about, and reports what came of it.
 */
export function browse(
  scripts: BrowserScripts,
  bend: Bend = (report) => [report],
  nameOf: (conversation: Conversation) => string = specName,
): ModelScript {
  return playTurn((conversation) => carryOut(conversation, { script: scripts[nameOf(conversation)] ?? [], bend }))
}

/** Title of the scenario that a conversation is about, where its spec has several. */
export function scenarioName(conversation: Conversation): string {
  return /^Execute only its section "(.*)"\.$/m.exec(taskOf(conversation))?.[1] ?? ''
}

/** Name of the spec that a conversation is about, up to its first dot. */
export function specName(conversation: Conversation): string {
  return /^Specification: (?:.*\/)?([^/.\n]+)[^/\n]*$/m.exec(taskOf(conversation))?.[1] ?? ''
}

/** Address of the application that a conversation is about. */
export function baseUrlOf(conversation: Conversation): string {
  return /^Base URL[^\n]*?: (\S+?)\/?$/m.exec(taskOf(conversation))?.[1] ?? ''
}

function taskOf({ system, prompt }: Conversation): string {
  return `${system}\n${prompt}`
}

function* carryOut(conversation: Conversation, { script, bend }: { script: BrowserScript; bend: Bend }): Turn {
  const notes = readNotes(conversation.said)
  const steps = readSteps(taskOf(conversation))
  const sight = { conversation, notes, page: { shown: '' }, baseUrl: baseUrlOf(conversation) }
  for (const [index, moves] of script.entries()) {
    const id = steps[index]?.id
    if (id === undefined) break
    const outcomes = yield* tryMoves(moves, sight)
    const right = reportOf(id, { outcomes, checks: steps[index]?.checks ?? 0 })
    let answer = ''
    for (const report of bend(right, { index, steps: steps.map((step) => step.id) })) {
      answer = (yield say(callOwn('report_step', report), notes)).text
    }
    while (answer.includes('still checks')) answer = (yield say(callOwn('next_step'), notes)).text
    if (answer.includes('Stop:')) return 'I was told to stop.'
  }
  return 'All steps are done.'
}

function reportOf(
  step: string,
  { outcomes, checks }: { readonly outcomes: readonly Outcome[]; readonly checks: number },
): Parameters<Bend>[0] {
  const wrong = outcomes.find(({ isRight }) => !isRight)
  const quotes = outcomes.flatMap(({ quote }) => (quote === undefined ? [] : [{ quote }]))
  return {
    step,
    status: wrong === undefined ? 'pass' : 'fail',
    observed: (wrong ?? outcomes.at(-1))?.observed ?? 'Done.',
    evidence: quotes,
    checks: Array.from({ length: checks }, (_, index) => checkOf(index + 1, outcomes[index])),
  }
}

function checkOf(n: number, outcome: Outcome | undefined): Record<string, unknown> {
  if (outcome === undefined) return { n, status: 'blocked', observed: 'It did not come to this.' }
  return { n, status: outcome.isRight ? 'pass' : 'fail', observed: outcome.observed }
}
