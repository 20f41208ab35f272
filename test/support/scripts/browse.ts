import { isOwnLoop, type Conversation, type ToolResult } from '../conversation.ts'
import type { ModelScript } from '../model-server.ts'
import type { BrowserScript, Move } from './browser-moves.ts'
import { readNotes, type Notes } from './notes.ts'
import { readSteps } from './read-task.ts'
import { callOwn, playTurn, type Bend, type Turn } from './report-spec.ts'

/** Scripts by the name of the spec up to its first dot. */
export type BrowserScripts = Readonly<Record<string, BrowserScript>>

/**
 * A model that carries out browser specs by these scripts, whoever drives the browser: it finds elements by role and name
 * on the last page that it was shown, looks for the lines that a step is about, and reports what came of it.
 */
export function browse(scripts: BrowserScripts, bend: Bend = (report) => [report]): ModelScript {
  return playTurn((conversation) => carryOut(conversation, { script: scripts[specName(conversation)] ?? [], bend }))
}

/** Name of the spec that a conversation is about, up to its first dot. */
export function specName(conversation: Conversation): string {
  return /^Specification: (?:.*\/)?([^/.\n]+)[^/\n]*$/m.exec(taskOf(conversation))?.[1] ?? ''
}

/** Address of the application that a conversation is about. */
function baseUrlOf(conversation: Conversation): string {
  return /^Base URL[^\n]*?: (\S+?)\/?$/m.exec(taskOf(conversation))?.[1] ?? ''
}

function taskOf({ system, prompt }: Conversation): string {
  return `${system}\n${prompt}`
}

interface Outcome {
  readonly isRight: boolean
  readonly observed: string
  /** The line of the page that showed it. */
  readonly quote?: string
}

function* carryOut(conversation: Conversation, { script, bend }: { script: BrowserScript; bend: Bend }): Turn {
  const notes = readNotes(conversation.said)
  const steps = readSteps(taskOf(conversation))
  const page = { shown: '' }
  for (const [index, moves] of script.entries()) {
    const id = steps[index]?.id
    if (id === undefined) break
    const outcomes = yield* tryStep(moves, { conversation, notes, page })
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

interface Sight {
  readonly conversation: Conversation
  readonly notes: Notes
  /** What the browser showed last. */
  readonly page: { shown: string }
}

/** What came of the moves, up to the first action that was not possible. */
function* tryStep(moves: readonly Move[], sight: Sight): Turn<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const move of moves) {
    const { notes, page } = sight
    if (move.kind === 'see') {
      outcomes.push(notes.recall(() => lookFor(move, page.shown)))
      continue
    }
    const failure = yield* act(move, sight)
    if (failure !== undefined) return [...outcomes, { isRight: false, observed: failure }]
  }
  return outcomes
}

/** Why it was not possible; nothing where it was. */
function* act(move: Exclude<Move, { kind: 'see' }>, sight: Sight): Turn<string | undefined> {
  const { conversation, notes, page } = sight
  const target = move.kind === 'use' ? notes.recall(() => findRef(move.element, page.shown)) : ''
  if (target === null && move.kind === 'use') return `There is no ${move.element.role} "${move.element.name}".`
  const result: ToolResult = yield say(browserCall(move, { target, baseUrl: baseUrlOf(conversation) }), notes)
  page.shown = result.text
  const failure = notes.recall(() => failureIn(result))
  if (failure !== null) return failure
  // mdtest's own loop shows the page after each action, Playwright's server does not.
  if (!isOwnLoop(conversation) && !result.text.includes('### Modal state')) {
    page.shown += (yield say({ kind: 'mcp', server: 'playwright', tool: 'browser_snapshot', input: {} }, notes)).text
  }
  return undefined
}

function browserCall(
  move: Exclude<Move, { kind: 'see' }>,
  { target, baseUrl }: { readonly target: string | null; readonly baseUrl: string },
): Parameters<typeof say>[0] {
  const common = { kind: 'mcp', server: 'playwright' } as const // literals of the union
  if (move.kind === 'open') return { ...common, tool: 'browser_navigate', input: { url: baseUrl + move.path } }
  if (move.kind === 'call') return { ...common, tool: move.tool, input: move.input }
  return { ...common, tool: move.tool, input: { element: move.element.name, target, ...move.input } }
}

function say(action: ReturnType<typeof callOwn>, notes: Notes): ReturnType<typeof callOwn> & { readonly say: string } {
  return { ...action, say: `${notes.takeNew()}\nNext: ${action.kind === 'mcp' ? action.tool : action.kind}.`.trim() }
}

/** `null` where it is not on the page, because notes are JSON. */
function findRef({ role, name }: { readonly role: string; readonly name: string }, shown: string): string | null {
  const start = `- ${role} "${name}"`
  const line = shown.split('\n').find((one) => one.trim().startsWith(start))
  return /\[ref=(\w+)\]/.exec(line ?? '')?.[1] ?? null
}

function failureIn({ text, isError }: ToolResult): string | null {
  // One further down is of the page that could not be shown, because a dialog is open.
  const error = /^### Error\n(?:Error: )?(.+)/.exec(text)?.[1]
  return error ?? (isError || !text.includes('###') ? text.slice(0, 200) : null)
}

function lookFor({ pattern, isAbsent }: Extract<Move, { kind: 'see' }>, shown: string): Outcome {
  const quote = shown
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .find((line) => pattern.test(line))
  if (quote === undefined) return { isRight: isAbsent, observed: `The page shows nothing like ${pattern}.` }
  return { isRight: !isAbsent, observed: `The page shows: ${quote}`, quote }
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
