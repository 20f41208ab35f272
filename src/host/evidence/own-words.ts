import { collapse, findPlace, quotableLines, type QuotableLines } from './quotable-lines.ts'

/** Words of the agent in a call. */
export interface OwnWords {
  /** What programs, tools and fields of a page were given. */
  readonly texts: readonly string[]
  /** Whether the spec itself holds the command. */
  readonly isAsked: boolean
}

/** Text in which a command is found, however it is quoted. */
export function withoutQuotes(text: string): string {
  return collapse(text.replaceAll(/['"`\\]/g, ''))
}

/** What a spec wants to see word for word: what stands in quotes in it, of two words and 8 characters at least. */
export function wantedWords(specText: string): readonly string[] {
  const quoted = [...specText.matchAll(/"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`/g)].map((found) =>
    collapse(found[1] ?? found[2] ?? found[3] ?? ''),
  )
  return [...new Set(quoted)].filter((text) => text.length >= 8 && text.includes(' '))
}

/**
 * Whether a quote is the agent's own words in a frame: they hold the whole quote, or they hold what the spec wants to see
 * and that is in the quote. Whatever stands around them then, the product may only have said them again.
 */
export function isOwnWords(quote: string, { texts, isAsked }: OwnWords, wanted: readonly string[]): boolean {
  const flat = collapse(quote)
  const own = texts.map(collapse)
  if (own.some((text) => holdsWords(text, flat))) return true
  if (isAsked) return false
  return wanted.some((words) => flat.includes(words) && own.some((text) => text.includes(words)))
}

/** In UTF-16 code units. Shorter quotes occur in many words by chance. */
const distinctLength = 8

function holdsWords(text: string, words: string): boolean {
  if (!text.includes(words)) return false
  return words.length >= distinctLength || findPlace(quotableLines(text), words)?.isClean === true
}

/** Whether a text that the agent wrote holds a quote, or each of its lines. */
export function containsQuote({ lines, flat }: QuotableLines, quote: string): boolean {
  const holds = (part: string): boolean =>
    flat.includes(part) && (part.length >= distinctLength || findPlace({ lines, flat }, part)?.isClean === true)
  return holds(collapse(quote)) || quotableLines(quote).lines.split('\n').every(holds)
}
