import type { Nodes, ListItem } from 'mdast'
import { advance, placeOf } from '../../markdown/places.ts'
import type { Place } from '../../spec.ts'

/** The text of a document without what nobody reads as text, at the same offsets. */
export interface HiddenText {
  /** Blank where comments, blocks of code and tables are. */
  readonly prose: string
  /** Blank where code between words is, too: no word in it means anything. */
  readonly words: string
}

/** @param nodes whose positions are offsets in `text` */
export function hideCode(text: string, nodes: readonly Nodes[]): HiddenText {
  const blocks: Nodes[] = []
  const spans: Nodes[] = []
  const open = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'code' || node.type === 'html' || node.type === 'table') blocks.push(node)
    else if (node.type === 'inlineCode') spans.push(node)
    else if ('children' in node) for (const child of node.children) open.push(child)
  }
  const prose = blank(text, blocks)
  return { prose, words: blank(prose, spans) }
}

function blank(text: string, nodes: readonly Nodes[]): string {
  const parts: string[] = []
  let at = 0
  for (const { position } of nodes.toSorted((one, other) => startOf(one) - startOf(other))) {
    const start = position?.start.offset ?? at
    const end = position?.end.offset ?? start
    if (start < at) continue
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\n]/g, ' '))
    at = end
  }
  return [...parts, text.slice(at)].join('')
}

function startOf({ position }: Nodes): number {
  return position?.start.offset ?? 0
}

export type ClauseWord = 'given' | 'when' | 'then' | 'and' | 'but'

export interface Clause extends Place {
  readonly word: ClauseWord
  /** Without marks of emphasis and of lists, on one line. */
  readonly text: string
  /** Nothing but the mark of a list stands before it on its line. */
  readonly isFirst: boolean
}

export interface ItemClauses {
  readonly lead: string
  readonly clauses: readonly Clause[]
}

interface Found extends Omit<Clause, 'text'> {
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
