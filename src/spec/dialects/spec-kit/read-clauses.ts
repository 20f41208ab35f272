import type { ListItem } from 'mdast'
import { advance, placeOf } from '../../markdown/places.ts'
import type { Place } from '../../spec.ts'
import type { HiddenText } from './hide-code.ts'

export type ClauseWord = 'given' | 'when' | 'then' | 'and' | 'but'

/** What stands behind a word such as `**Given**`, up to the next one. */
export interface Clause extends Place {
  readonly word: ClauseWord
  /** Without marks of emphasis and of lists, on one line. */
  readonly text: string
  /** Nothing but the mark of a list stands before it on its line. */
  readonly isFirst: boolean
}

/** What an item of a list says. */
export interface ItemClauses {
  /** What stands before the first clause; all of it where there is none. */
  readonly lead: string
  readonly clauses: readonly Clause[]
}

interface Found extends Omit<Clause, 'text'> {
  /** Offsets in the item. */
  readonly start: number
  readonly end: number
}

/** Reads the clauses of an item: words in bold or italics, and plain ones where it has no such `Then`. */
export function readClauses({ prose, words }: HiddenText, item: ListItem): ItemClauses {
  const { start, end } = item.position ?? {}
  const own = prose.slice(start?.offset, end?.offset)
  const masked = words.slice(start?.offset, end?.offset)
  const strong = strongWords(masked)
  const isStrong = strong.some(({ word }) => word === 'then')
  const found = isStrong ? strong : [...strong, ...plainWords(masked)].toSorted((one, other) => one.start - other.start)
  const clauses = found.map(({ start: at, end: from, ...clause }, index): Clause => {
    const place = advance(placeOf(item), own.slice(0, at))
    return { ...clause, ...place, text: plain(own.slice(from, found[index + 1]?.start)) }
  })
  return { lead: plain(own.slice(0, found[0]?.start)), clauses }
}

function strongWords(text: string): readonly Found[] {
  return wordsIn(text, /(\*\*|__|\*|_)(given|when|then|and|but)\s*:?\s*\1\s*[:,]?/gi).filter(
    ({ isFirst, isBehindPoint, isCapital }) => isFirst || isBehindPoint || isCapital,
  )
}

/** Lower-case `when` behind an outcome, and `and` anywhere, are words of a sentence. */
function plainWords(text: string): readonly Found[] {
  let isOutcome = false
  return wordsIn(text, /(?<![\p{L}\p{N}*_-])()(given|when|then|and|but)(?![\p{L}\p{N}*_-]):?/giu).filter((found) => {
    const { word, isFirst, isBehindPoint, isCapital } = found
    const isUpper = text.slice(found.start, found.start + word.length) === word.toUpperCase()
    const isClause =
      word === 'and' || word === 'but'
        ? isUpper || (isFirst && isCapital)
        : isFirst || (isBehindPoint && (isCapital || !isOutcome))
    if (isClause && word === 'then') isOutcome = true
    return isClause
  })
}

function wordsIn(
  text: string,
  pattern: RegExp,
): readonly (Found & { readonly isBehindPoint: boolean; readonly isCapital: boolean })[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [whole, , word = ''] = match
    const before = text.slice(0, match.index)
    return {
      word: word.toLowerCase() as ClauseWord, // the pattern has no others
      start: match.index,
      end: match.index + whole.length,
      line: 1,
      column: 1,
      isFirst: /(?:^|\n)[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?$/.test(before),
      isBehindPoint: /[,;.:!?—–-]\s*$/.test(before),
      isCapital: word[0] !== word[0]?.toLowerCase(),
    }
  })
}

/** Whether a line is a label such as `**Edge Cases**:`, and nothing else. */
export function isLabel(line: string): boolean {
  return /^(?:(\*\*|__)(?!(?:given|when|then|and|but)\b)[^*_]+(?::\1|\1\s*:))$/i.test(line)
}

/** On one line, up to a label, without marks. Items of lists are set off. */
function plain(text: string): string {
  const all = text.split('\n')
  const label = all.findIndex((line, index) => index > 0 && isLabel(line.trim()))
  const lines = all.slice(0, label === -1 ? all.length : label).map((line) => {
    const [, bullet, rest = ''] = /^\s*((?:[-*+]|\d+[.)])(?:\s+|$)(?:\[[ xX]\]\s+)?)?(.*)$/.exec(line) ?? []
    return { isItem: bullet !== undefined, rest: rest.trim() }
  })
  let joined = ''
  for (const { isItem, rest } of lines) {
    if (rest === '') continue
    const isSetOff = isItem && joined !== '' && !/[:;,]$/.test(joined)
    joined += `${joined === '' ? '' : isSetOff ? '; ' : ' '}${rest}`
  }
  return withoutMarks(joined)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,:;—–]+|[\s,:;—–]+$/g, '')
}

/** Code keeps its characters. */
function withoutMarks(text: string): string {
  const spans: string[] = []
  const held = text.replace(/`+[^`]*`+/g, (span) => `\u0001${spans.push(span) - 1}\u0001`)
  return held
    .replace(/(\*\*|__)(\S(?:.*?\S)?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(\S(?:[^*]*?\S)?)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])_(\S(?:[^_]*?\S)?)_(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\u0001(\d+)\u0001/g, (_held, index: string) => spans[Number(index)] ?? '')
}
