import type { Redact } from '../../system/redaction/redact-texts.ts'
import { createTurns, type Turns } from '../../system/concurrency.ts'
import type { ToolOutput } from './kept-outputs.ts'
import type { OwnWords } from './own-words.ts'
import { collapse, findPlace, quotableLinesOfLong, type Place, type QuotableLines } from './quotable-lines.ts'
import * as say from './quote-problems.ts'

export interface Quote {
  readonly quote: string
  readonly step?: string | undefined
}

export interface CitedQuote {
  readonly step: string
  readonly quote: string
}

/** When the call ended that printed the quote. A `problem` says why the quote proves nothing. */
export type FoundQuote =
  | { readonly isFound: true; readonly atMs: number; readonly problem?: string }
  | { readonly isFound: false; readonly problem: string }

interface FinderOptions {
  readonly redact?: Redact
  readonly ownWords?: Pick<OwnWords, 'hold'> | undefined
  readonly lastReportAtMs?: number | undefined
  readonly cited?: readonly CitedQuote[]
  /** Time for all quotes together, in milliseconds. After that no quote is found. Default: 15_000. */
  readonly maxSearchMs?: number
}

const defaultMaxSearchMs = 15_000

const sliceMs = 20

/**
 * Looks for quotes in outputs. Ignores colours, and takes each run of white space as one space. Otherwise a quote has to be
 * whole lines, or a whole text of a page, to the letter, or the first words of one. The agent's own words prove nothing, nor does what something else
 * than the product printed, nor output from before the last report, unless the quote names that earlier step. Other work has
 * turns in between.
 */
export function createQuoteFinder(
  outputs: readonly ToolOutput[],
  {
    redact = (text) => text,
    ownWords,
    lastReportAtMs = -Infinity,
    cited = [],
    maxSearchMs = defaultMaxSearchMs,
  }: FinderOptions = {},
): (cited: Quote) => Promise<FoundQuote> {
  const latestFirst = outputs.toSorted((a, b) => b.endedAtMs - a.endedAtMs)
  const turns = createTurns(sliceMs)

  const judge = (output: ToolOutput, place: Place, { quote, step: named, isOwn }: Wanted): FoundQuote => {
    const shown = redact(collapse(quote))
    const atMs = output.endedAtMs
    const doubted = (problem: string): FoundQuote => ({ isFound: true, atMs, problem })
    if (!place.isWhole) return doubted(say.inLine(shown, redact(place.line)))
    if (output.isFailure === true) return doubted(say.ofFailure(shown))
    if (output.doubt !== undefined) return doubted(say.doubted(shown, output.doubt))
    if (isOwn()) return doubted(say.own(shown))
    if (atMs > lastReportAtMs || (named !== undefined && named === output.step)) return { isFound: true, atMs }
    const from = output.step ?? undefined
    const again = named === undefined && cited.find((other) => isSame(other.quote, quote))
    return doubted(again ? say.citedBefore(shown, again.step) : say.earlier(shown, from))
  }

  return async (wanted) => {
    const flat = collapse(wanted.quote)
    if (flat === '') return lost('A cited quote is empty. Quote what a tool call printed.')
    const { quote } = wanted
    const isOwn = once(() => ownWords?.hold(quote) === true)
    let best: FoundQuote | undefined
    for (const output of latestFirst) {
      await turns.pass()
      if (turns.spentMs > maxSearchMs) return lost(say.notLookedFor(redact(flat), maxSearchMs))
      const text = await textOf(output, turns)
      await turns.pass()
      const place = findPlace(text, flat, output.hasTexts)
      if (place === undefined) continue
      const found = judge(output, place, { ...wanted, isOwn })
      if (best === undefined || (found.isFound && found.problem === undefined)) best = found
      if (best.isFound && best.problem === undefined) break
    }
    return best ?? lost(say.notPrinted(redact(flat)))
  }
}

interface Wanted extends Quote {
  readonly isOwn: () => boolean
}

/** The question is slow and comes again for each output. */
function once(ask: () => boolean): () => boolean {
  let answer: boolean | undefined
  return () => (answer ??= ask())
}

/** Made once for each output, not for each report. */
const texts = new WeakMap<ToolOutput, QuotableLines>()

async function textOf(output: ToolOutput, turns: Turns): Promise<QuotableLines> {
  const text = texts.get(output) ?? (await quotableLinesOfLong(output.text, turns))
  texts.set(output, text)
  return text
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [collapse(one), collapse(other)]
  return a.includes(b) || b.includes(a)
}

function lost(problem: string): FoundQuote {
  return { isFound: false, problem }
}
