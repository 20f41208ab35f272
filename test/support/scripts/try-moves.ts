import { isOwnLoop, type Conversation, type ToolResult } from '../conversation.ts'
import type { Move } from './browser-moves.ts'
import type { Notes } from './notes.ts'
import type { callOwn, Turn } from './report-spec.ts'

/** What came of a look, or of an action that was not possible. */
export interface Outcome {
  readonly isRight: boolean
  readonly observed: string
  /** The line of the page that showed it. */
  readonly quote?: string
}

/** What a model sees of the browser. */
interface Sight {
  readonly conversation: Conversation
  readonly notes: Notes
  /** What the browser showed last. */
  readonly page: { shown: string }
  /** Address of the application. */
  readonly baseUrl: string
}

/** What came of the moves, up to the first action that was not possible. */
export function* tryMoves(moves: readonly Move[], sight: Sight): Turn<readonly Outcome[]> {
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
  const { conversation, notes, page, baseUrl } = sight
  const target = move.kind === 'use' ? notes.recall(() => findRef(move.element, page.shown)) : ''
  if (target === null && move.kind === 'use') return `There is no ${move.element.role} "${move.element.name}".`
  const result: ToolResult = yield say(browserCall(move, { target, baseUrl }), notes)
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

/** An action with the notes that were made before it. */
export function say(
  action: ReturnType<typeof callOwn>,
  notes: Notes,
): ReturnType<typeof callOwn> & { readonly say: string } {
  return { ...action, say: `${notes.takeNew()}\nNext: ${action.kind === 'mcp' ? action.tool : action.kind}.`.trim() }
}

/** `null` where it is not on the page, because notes are JSON. */
function findRef({ role, name, below = '' }: Extract<Move, { kind: 'use' }>['element'], shown: string): string | null {
  const start = name === '' ? `- ${role} [` : `- ${role} "${name}"`
  const lines = shown.split('\n')
  const from = lines.findIndex((one) => one.includes(below))
  const line = lines.slice(Math.max(from, 0)).find((one) => one.trim().startsWith(start))
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
