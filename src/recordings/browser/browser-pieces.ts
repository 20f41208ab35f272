import { readActions, type BrowserSurroundings } from './read-actions.ts'
import type { BrowserAction, BrowserItem, Obstacle, Sight } from '../derive/piece.ts'
import type { BrowserCall } from '../../records/agent-call.ts'
import { pageLines, pageLine } from '../../spec/browser/page-lines.ts'
import { collapseSpace } from '../../system/text/plain-text.ts'

export interface BrowserWork {
  readonly call: BrowserCall
  readonly actions: readonly BrowserAction[]
  readonly obstacles: readonly Pick<Obstacle, 'code' | 'why'>[]
  readonly page?: readonly string[]
}

export function browserWork(calls: readonly BrowserCall[], around: BrowserSurroundings): readonly BrowserWork[] {
  return calls.map((call) => {
    const page = pageIn(call)
    const read = readActions(call, around)
    const actions = read.filter((one) => 'method' in one)
    const obstacles = read.filter((one) => 'why' in one)
    return { call, actions, obstacles, ...(page && { page }) }
  })
}

function pageIn({ tool, output, isError }: BrowserCall): readonly string[] | undefined {
  if (isError) return undefined
  if (/```yaml\n/.test(output)) return pageLines(output)
  if (tool !== 'browser_find') return undefined
  const found = output.split('\n').filter((line) => /^\s*- /.test(line))
  return pageLines(found.join('\n'))
}

export interface FoundSights {
  readonly sights: ReadonlyMap<BrowserCall, readonly Sight[]>
  /** Quotes that no page of the step contained. */
  readonly lost: readonly string[]
}

/** For each quote, finds the action after which the page showed the quote. `all`: calls of the whole scenario. */
export function findSights(quotes: readonly string[], step: string, all: readonly BrowserWork[]): FoundSights {
  const own = all.filter(({ call }) => call.step === step)
  const start = own[0] === undefined ? 0 : all.indexOf(own[0])
  const actions = own.flatMap((work) => work.actions)
  const before = actions.length > 0 ? all.slice(0, start).findLast(isWhole)?.page : all.find(isWhole)?.page
  const shown = own.filter(({ page }) => page !== undefined)
  const sights = new Map<BrowserCall, Sight[]>()
  const lost: string[] = []
  for (const quote of quotes) {
    const at = shown.findLastIndex(({ page = [] }) => linesOfQuote(quote, page) !== undefined)
    const lines = at === -1 ? undefined : linesOfQuote(quote, shown[at]?.page ?? [])
    if (lines === undefined) {
      // A quote of a dialog's text is not lost: the replay answers this dialog, and checks its text then.
      if (!own.some(({ call }) => asks(call, quote))) lost.push(quote)
      continue
    }
    for (const line of lines) {
      const since = shown.slice(0, at + 1).findLastIndex((one) => isWhole(one) && one.page?.includes(line) !== true)
      const isOld = before?.includes(line) === true && since === -1
      const work = shown[isOld ? at : Math.max(since + 1, 0)] ?? shown[at]
      if (work === undefined) continue
      const weakness = before?.includes(line)
        ? 'it was on the page before'
        : actions.some((action) => isEchoOf(line, action))
          ? 'it is what the step itself put there'
          : undefined
      const known = sights.get(work.call) ?? []
      if (known.some((one) => one.line === line)) continue
      sights.set(work.call, [...known, { kind: 'sight', line, ...(weakness !== undefined && { weakness }) }])
    }
  }
  return { sights, lost }
}

function asks({ output }: BrowserCall, quote: string): boolean {
  const dialogs = /### Modal state\n(- \[[^]*?)(?=\n### |$)/.exec(output)?.[1] ?? ''
  return collapseSpace(dialogs).includes(collapseSpace(quote))
}

function isWhole({ call, page }: BrowserWork): boolean {
  return page !== undefined && call.tool !== 'browser_find'
}

export function itemsOf({ call, actions }: BrowserWork, sights: FoundSights['sights']): readonly BrowserItem[] {
  return [...actions.map((action): BrowserItem => ({ kind: 'action', ...action })), ...(sights.get(call) ?? [])]
}

/** For each line of a quote: the shortest page line with this text. `undefined` if a line is on no page. */
function linesOfQuote(quote: string, lines: readonly string[]): readonly string[] | undefined {
  const shortestFirst = lines.toSorted((a, b) => a.length - b.length)
  const wanted = quote.split('\n').map(pageLine).filter(isText)
  const found = wanted.map((text) => shortestFirst.find((line) => bare(line).includes(bare(text))))
  return wanted.length > 0 && found.every((line) => line !== undefined) ? found : undefined
}

/** Removes quotation marks, because agents leave out the marks around names. */
function bare(text: string): string {
  return collapseSpace(text.replaceAll('"', ''))
}

function isText(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text)
}

/** Whether a page line only repeats the text that the action itself typed. */
function isEchoOf(line: string, action: BrowserAction): boolean {
  const [, role = '', name = '', state = '', text = ''] =
    /^([\w-]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?:: "?(.*?)"?)?$/.exec(line) ?? []
  switch (action.method) {
    case 'fill':
    case 'pressSequentially':
      return fields.has(role) && action.values.includes(text)
    case 'check':
    case 'uncheck': {
      const isOwn = action.role === undefined || (action.role === role && name.includes(action.name ?? ''))
      return isOwn && /^(?:checkbox|radio|switch)$/.test(role)
    }
    case 'selectOption':
      return role === 'option' && state.includes('[selected]') && action.values.includes(name)
    default:
      return false
  }
}

const fields: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'])
