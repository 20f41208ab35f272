import { pageLine } from '../../spec/browser/page-lines.ts'
import { collapseSpace } from '../collapse-space.ts'

/** The line of the page that holds each line of a quote, or is it: the shortest; `undefined` where one is on none. */
export function linesOfQuote(quote: string, lines: readonly string[]): readonly string[] | undefined {
  const wanted = quote.split('\n').map(pageLine).filter(isText)
  const found = wanted.map((text) => lineHolding(text, lines))
  return wanted.length > 0 && found.every((line) => line !== undefined) ? found : undefined
}

function lineHolding(text: string, lines: readonly string[]): string | undefined {
  return lines.filter((line) => bare(line).includes(bare(text))).toSorted((a, b) => a.length - b.length)[0]
}

/** Agents leave out the quotes around names. */
function bare(text: string): string {
  return collapseSpace(text.replaceAll('"', ''))
}

function isText(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text)
}
