import { stripVTControlCharacters } from 'node:util'
import type { Redact } from '../shared/redact-texts.ts'
import { createTurns } from '../shared/turns.ts'

/** What a tool call of the agent printed. */
export interface ToolOutput {
  /** When the call ended, in milliseconds since 1970. */
  readonly endedAtMs: number
  readonly text: string
}

/** Where a quote was found: the end of the latest call that printed it. */
export type FoundQuote =
  | { readonly isFound: true; readonly atMs: number }
  | { readonly isFound: false; readonly problem: string }

/** How long the search may keep the process from everything else, in milliseconds. */
const sliceMs = 20

/** Shorter quotes are in nearly every output. */
const minLength = 4

/**
 * Looks for quotes in outputs. Colours are left out and white space counts as one space, on both sides; else a quote
 * has to occur to the letter, upper or lower case. One of fewer than 4 characters proves nothing by occurring: it has
 * to be a whole line of an output. Outputs of 1 MiB are searched one by one, and others have their turn in between.
 *
 * @param redact takes secrets out of what a problem quotes
 */
export function createQuoteFinder(
  outputs: readonly ToolOutput[],
  redact: Redact = (text) => text,
): (quote: string) => Promise<FoundQuote> {
  const latestFirst = outputs.toSorted((a, b) => b.endedAtMs - a.endedAtMs)
  const yieldTurn = createTurns(sliceMs)
  return async (quote) => {
    const wanted = collapse(quote)
    if (wanted === '') return { isFound: false, problem: 'A cited quote is empty. Quote what a tool call printed.' }
    const isShort = [...wanted].length < minLength
    for (const output of latestFirst) {
      await yieldTurn()
      const isFound = collapsedOf(output).includes(wanted) && (!isShort || hasLine(output, wanted))
      if (isFound) return { isFound: true, atMs: output.endedAtMs }
    }
    return { isFound: false, problem: isShort ? tooShort(wanted) : notPrinted(redact(wanted)) }
  }
}

/** Once for each output, however many reports are looked at. */
const collapsed = new WeakMap<ToolOutput, string>()

function collapsedOf(output: ToolOutput): string {
  const text = collapsed.get(output) ?? collapse(output.text)
  collapsed.set(output, text)
  return text
}

function collapse(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
}

function hasLine({ text }: ToolOutput, wanted: string): boolean {
  return text.split('\n').some((line) => collapse(line) === wanted)
}

function tooShort(quote: string): string {
  return `The cited quote "${quote}" has fewer than ${minLength} characters and is no line of what a tool call printed. Quote more of the line.`
}

function notPrinted(quote: string): string {
  const shown = quote.length > 200 ? `${quote.slice(0, 200)}…` : quote
  return `The cited quote "${shown}" is in no output of a tool call that ended before the report. Quote to the letter what a tool call printed; the text of the spec does not count.`
}
