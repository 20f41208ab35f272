import { stripVTControlCharacters } from 'node:util'
import type { Turns } from '../../system/turns.ts'

/** Text in which quotes are looked for. */
export interface QuotableLines {
  /** Lines that hold anything, without colours, each run of white space a space. */
  readonly lines: string
  /** The same in one line, each character at its place. */
  readonly flat: string
}

export function quotableLines(text: string): QuotableLines {
  return joined([normalized(text)])
}

/** The same, with turns for others in between: of a long text it takes a while. */
export async function quotableLinesOfLong(text: string, turns: Turns): Promise<QuotableLines> {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const lineEnd = text.indexOf('\n', from + pieceCharacters)
    const to = lineEnd === -1 ? text.length : lineEnd + 1
    pieces.push(normalized(text.slice(from, to)))
    from = to
    await turns.pass()
  }
  return joined(pieces)
}

/** In UTF-16 code units, up to the next line end. */
const pieceCharacters = 64 * 1024

function joined(pieces: readonly string[]): QuotableLines {
  const lines = pieces.filter((piece) => piece !== '').join('\n')
  return { lines, flat: lines.replaceAll('\n', ' ') }
}

function normalized(text: string): string {
  // Most lines need no change, and outputs are long.
  return stripVTControlCharacters(text)
    .replace(/[\r\v\f\u0085\u2028\u2029]+/g, '\n')
    .replace(/ [^\S\n]+|[^\S\n ][^\S\n]*/g, ' ')
    .replace(/ \n[ \n]*|\n[ \n]+/g, '\n')
    .trim()
}

/** Text without colours, each run of white space, line ends too, a space. */
export function collapse(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
}

/** Where in a text a quote occurs. */
export interface Place {
  /** Whether it is whole lines, but for marks and borders around them. */
  readonly isWhole: boolean
  /** Whether it begins and ends at borders of words of one line, or is whole lines of several. */
  readonly isClean: boolean
  /** Whether it runs over an end of a line. */
  readonly isBroken: boolean
  /** The line in which it begins. */
  readonly line: string
}

/** More places of one quote say nothing new. */
const maxPlaces = 500

/** The best place of a quote: whole lines, else one that is clean. */
export function findPlace({ lines, flat }: QuotableLines, quote: string): Place | undefined {
  let best: Place | undefined
  let from = flat.indexOf(quote)
  for (let count = 0; from !== -1 && count < maxPlaces; count += 1) {
    const place = placeAt(lines, from, from + quote.length)
    if (best === undefined || valueOf(place) > valueOf(best)) best = place
    if (place.isClean && place.isWhole) return place
    from = flat.indexOf(quote, from + 1)
  }
  return best
}

function valueOf({ isClean, isWhole, isBroken }: Place): number {
  return Number(isClean) * 4 + Number(isWhole) * 2 + Number(!isBroken)
}

function placeAt(lines: string, from: number, to: number): Place {
  const start = lines.lastIndexOf('\n', from - 1) + 1
  const stop = lines.indexOf('\n', to)
  const end = stop === -1 ? lines.length : stop
  const isBroken = lines.slice(from, to).includes('\n')
  const isWhole = hasMarksOnly(lines, start, from) && hasMarksOnly(lines, to, end)
  const isClean = isBroken ? isWhole : !isInWord(lines, from) && !isInWord(lines, to)
  const first = lines.indexOf('\n', from)
  return { isWhole, isClean, isBroken, line: lines.slice(start, first === -1 ? lines.length : first) }
}

/** Longer marks and borders, in UTF-16 code units, are none: they would be looked through again and again. */
const maxMarks = 4096

function hasMarksOnly(text: string, from: number, to: number): boolean {
  return to - from <= maxMarks && !/[\p{L}\p{N}]/u.test(text.slice(from, to))
}

/**
 * A word, or a number with all that belongs to it: its sign, its separators, its percent sign. `un-done`, `isn't` and
 * `1,000.50` are one.
 */
const word =
  /(?:(?<![\p{L}\p{M}\p{N}_)\]])[-−](?=\p{N}))?[\p{L}\p{M}\p{N}_]+(?:(?:(?<=\p{N})[.,'’/](?=\p{N})|(?<=[\p{L}\p{M}])['’-](?=\p{L}))[\p{L}\p{M}\p{N}_]+)*(?:(?<=\p{N}) ?%)?/gu

/** How far a word is looked for on both sides, in UTF-16 code units. */
const reach = 80

/** Whether this place in a text is inside of a word. */
function isInWord(text: string, at: number): boolean {
  const from = Math.max(0, at - reach)
  const part = text.slice(from, at + reach)
  const within = at - from
  for (const { 0: found, index } of part.matchAll(word)) {
    if (index >= within) return false
    if (index + found.length > within) return !isBorderInside(found, within - index)
  }
  return false
}

/** Written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const negation = /[不未無无非没沒]$/u
/** Made when it is first needed: loading the data of Unicode takes some 15 ms. */
let segmenter: Intl.Segmenter | undefined

function isBorderInside(found: string, at: number): boolean {
  const isUnspaced = [found.slice(0, at).at(-1), found.at(at)].map((one = '') => unspaced.test(one))
  if (!isUnspaced.includes(true)) return false
  if (negation.test(found.slice(0, at))) return false
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return isUnspaced.includes(false) || segmenter.segment(found).containing(at)?.index === at
}
