import { stripVTControlCharacters } from 'node:util'
import { parseJson } from '../../system/text/parse-json.ts'

export interface QuotableLines {
  /** Non-blank lines without colours, with each run of white space reduced to one space. */
  readonly lines: string
  /** `lines` with a space instead of each line break. A position means the same in both. */
  readonly flat: string
}

export function quotableLines(text: string): QuotableLines {
  const lines = stripVTControlCharacters(text)
    .replace(/[\r\v\f\u0085\u2028\u2029]+/g, '\n')
    .replace(/ [^\S\n]+|[^\S\n ][^\S\n]*/g, ' ')
    .replace(/ \n[ \n]*|\n[ \n]+/g, '\n')
    .trim()
  return { lines, flat: lines.replaceAll('\n', ' ') }
}

export interface Place {
  /** Whether the quote is complete: whole lines, a whole text of a page, or the beginning of one of them. */
  readonly isWhole: boolean
  readonly line: string
}

const maxPlaces = 500

/**
 * Finds the best place of a quote. A quote must begin its line: `ok` does not match `not ok`. A quote that ends within
 * the line needs two words. In a very long line, any long part counts.
 */
export function findPlace({ lines, flat }: QuotableLines, quote: QuotableLines, hasTexts = false): Place | undefined {
  let found: Place | undefined
  let from = flat.indexOf(quote.flat)
  for (let count = 0; from !== -1 && count < maxPlaces; count += 1) {
    const place = placeAt(lines, { from, quote: quote.lines, hasTexts })
    if (place.isWhole) return place
    found ??= place
    from = flat.indexOf(quote.flat, from + 1)
  }
  return found
}

const longLine = 400
const longPart = 20

function placeAt(
  lines: string,
  { from, quote, hasTexts }: { readonly from: number; readonly quote: string; readonly hasTexts: boolean },
): Place {
  const to = from + quote.length
  // A line break in the output must be a line break in the quote, too.
  const isJoined = !hasTexts && [...lines.slice(from, to).matchAll(/\n/g)].some(({ index }) => quote[index] !== '\n')
  const start = lines.lastIndexOf('\n', from - 1) + 1
  const stop = lines.indexOf('\n', to)
  const end = stop === -1 ? lines.length : stop
  const first = lines.indexOf('\n', from)
  const isLong = end - start > longLine && to - from >= longPart
  const before = lines.slice(Math.max(start, from - 2), from)
  const after = lines.slice(to, Math.min(end, to + 2))
  const isMember = isMemberOf(lines.slice(start, end), quote)
  const isBegun =
    before === '' ||
    (isMember && /[{,] ?$/.test(before)) ||
    (hasTexts && textBegins.test(before)) ||
    (isLong && !wordEnds.test(before))
  const isEnded =
    after === '' ||
    (isMember && /^ ?[},]/.test(after)) ||
    (wordIsOver.test(after) && quote.includes(' ')) ||
    (hasTexts && textEnds.test(after)) ||
    (isLong && !wordBegins.test(after))
  return { isWhole: isBegun && isEnded && !isJoined, line: lines.slice(start, first === -1 ? lines.length : first) }
}

/** Whether the line is JSON, and the quote consists of whole `"key": value` pairs. */
function isMemberOf(line: string, quote: string): boolean {
  const isShort = line.length <= maxJsonCharacters && /^[[{]/.test(line) && quote.startsWith('"')
  return isShort && [`{${quote}}`, line].every((text) => parseJson(text) !== undefined)
}

const maxJsonCharacters = 10_000

/** Matches text that ends the word before it: a space, or punctuation such as `, `. */
const wordIsOver = /^(?: |[.,;!](?: |$))/
const textBegins = /(?:["'“]|: |- |[{[,])$/
const textEnds = /^(?:["'”]|:| \[|[}\],])/
const wordEnds = /[\p{L}\p{M}\p{N}_]$/u
const wordBegins = /^[\p{L}\p{M}\p{N}_]/u

/** Whether the text contains the words. Short words must match whole words, because parts match by chance. */
export function holdsWords({ flat }: QuotableLines, words: string): boolean {
  if (words.length >= distinctLength) return flat.includes(words)
  for (let at = flat.indexOf(words); at !== -1; at = flat.indexOf(words, at + 1)) {
    const end = at + words.length
    if (!wordEnds.test(flat.slice(0, at).slice(-2)) && !wordBegins.test(flat.slice(end, end + 2))) return true
  }
  return false
}

const distinctLength = 8
