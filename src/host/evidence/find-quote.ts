import type { Redact } from '../../system/redaction/redact-texts.ts'
import { createTurns } from '../../system/concurrency.ts'
import type { ToolOutput } from './kept-outputs.ts'
import type { OwnWords } from './own-words.ts'
import { collapse, findPlace, quotableLinesOfLong, type QuotableLines } from './quotable-lines.ts'

export interface CitedQuote {
  readonly step: string
  readonly quote: string
}

/** What became of something that was cited. */
export interface Found {
  readonly isFound: boolean
  /** When the call ended that printed the quote; when the file was written. */
  readonly atMs?: number
  readonly problem?: string
}

export interface FinderOptions {
  readonly redact?: Redact
  readonly ownWords?: Pick<OwnWords, 'hold'> | undefined
  readonly lastReportAtMs?: number | undefined
  readonly cited?: readonly CitedQuote[]
  /** Time for all quotes together, in milliseconds. After that no quote is found. Default: 15_000. */
  readonly maxSearchMs?: number
}

const defaultMaxSearchMs = 15_000

const sliceMs = 20

const texts = new WeakMap<ToolOutput, QuotableLines>()

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
): (cited: { readonly quote: string; readonly step?: string | undefined }) => Promise<Found> {
  const latestFirst = outputs.toSorted((a, b) => b.endedAtMs - a.endedAtMs)
  const turns = createTurns(sliceMs)

  return async ({ quote, step: named }) => {
    const flat = collapse(quote)
    const told = `The cited quote ${shown(redact(flat))}`
    const lost = (problem: string): Found => ({ isFound: false, problem })
    if (flat === '') return lost('A cited quote is empty. Quote what a tool call printed.')
    let isOwn: boolean | undefined
    const doubtOf = (
      { isFailure, doubt, endedAtMs, step }: ToolOutput,
      { isWhole, line }: NonNullable<ReturnType<typeof findPlace>>,
    ): string | undefined => {
      if (!isWhole) {
        const whole = 'Quote the whole line, from its beginning, or a whole text of a page.'
        return `is only a part of the line ${shown(redact(line))}. ${whole}`
      }
      if (isFailure === true)
        return 'was printed by a call that failed, so it shows only that the call failed. Quote what the page showed.'
      if (doubt !== undefined) return `proves nothing: ${doubt}`
      // The question is slow, and comes again for each output.
      if ((isOwn ??= ownWords?.hold(quote) === true))
        return 'holds your own words, which the product or a file got from you: that they come out again proves nothing. Quote what the product says of its own.'
      if (endedAtMs > lastReportAtMs || (named !== undefined && named === step)) return undefined
      const again = named === undefined ? cited.find((other) => isSame(other.quote, flat)) : undefined
      return again ? describeCited(again.step) : describeEarlier(step ?? undefined)
    }
    let best: Found | undefined
    for (const output of latestFirst) {
      await turns.pass()
      if (turns.spentMs > maxSearchMs) {
        const seconds = maxSearchMs / 1000
        return lost(
          `${told} was not looked for: the search for all quotes took longer than ${seconds} s. Cite fewer, and print less.`,
        )
      }
      const text = texts.get(output) ?? (await quotableLinesOfLong(output.text, turns))
      texts.set(output, text)
      await turns.pass()
      const place = findPlace(text, flat, output.hasTexts)
      if (place === undefined) continue
      const doubt = doubtOf(output, place)
      if (doubt === undefined) return { isFound: true, atMs: output.endedAtMs }
      best ??= { isFound: true, atMs: output.endedAtMs, problem: `${told} ${doubt}` }
    }
    return best ?? lost(`${told} ${nowhere}`)
  }
}

const nowhere =
  "is in no output of a tool call that ended before the report. Quote to the letter what a tool call printed; the text of the spec and of mdtest's logs does not count."

function describeEarlier(step: string | undefined): string {
  const name = JSON.stringify(step ?? 'id of the step')
  return `was printed before the last report${step === undefined ? '' : `, for the step \`${step}\``}. If it shows this step, too, name that one: { "quote": "…", "step": ${name} }.`
}

function describeCited(step: string): string {
  return `was cited for the step \`${step}\` already, and nothing printed it since. Quote what was printed for this step; if it shows both, name the other one: { "quote": "…", "step": ${JSON.stringify(step)} }.`
}

export function shown(quote: string): string {
  return `"${quote.length > 200 ? `${quote.slice(0, 200)}…` : quote}"`
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [collapse(one), collapse(other)]
  return a.includes(b) || b.includes(a)
}
