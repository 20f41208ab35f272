import type { ListItem, Nodes } from 'mdast'
import { hideIn } from '../markdown/hidden-text.ts'
import { advance } from '../markdown/positions-and-placeholders.ts'
import type { Place } from '../spec.ts'

/** `more` continues the clause before it, as `And` and `But` do. */
export type ClauseKind = 'outcome' | 'more' | 'other'

export type ClauseWord = 'given' | 'when' | 'then' | 'and' | 'but'

export function outcomesIn<T>(clauses: readonly T[], kindOf: (clause: T) => ClauseKind): readonly T[] {
  let isOutcome = false
  return clauses.filter((clause) => {
    const kind = kindOf(clause)
    if (kind !== 'more') isOutcome = kind === 'outcome'
    return isOutcome
  })
}

export interface Clause extends Place {
  readonly word: ClauseWord
  /** The text on one line, without marks of emphasis and lists. */
  readonly text: string
  /** Whether the clause is the first text on its line. Marks such as bullets do not count as text. */
  readonly isFirst: boolean
}

export interface Clauses {
  readonly lead: string
  readonly clauses: readonly Clause[]
}

/** The checks of a scenario: each `Then`, and each `And` or `But` after a `Then`. */
export function checksIn(parts: readonly Clauses[]): readonly (Place & { readonly text: string })[] {
  const outcomes = outcomesIn(
    parts.flatMap(({ clauses }) => clauses),
    ({ word }) => (word === 'then' ? 'outcome' : word === 'given' || word === 'when' ? 'other' : 'more'),
  )
  return outcomes.map(({ line, column, text }) => ({ line, column, text }))
}

/** The text of all clauses. In a scenario without a `Then`, this text is the only check. */
export function wholeOf(parts: readonly Clauses[]): string {
  return parts
    .flatMap(({ lead, clauses }) => [lead, ...clauses.map(({ text }) => text)])
    .filter(Boolean)
    .join(', ')
}

interface Part {
  /** Where the part begins: `place` as line and column, `start` as an offset. */
  readonly place: Place
  readonly start: number
  readonly end: number
}

export function itemPart({ position }: ListItem): Part {
  const { line = 1, column = 1, offset = 0 } = position?.start ?? {}
  return { place: { line, column }, start: offset, end: position?.end.offset ?? offset }
}

/** In form `items`, a line can have several clauses. In form `lines`, each clause begins a line. */
export function createClauseReader(
  text: string,
  nodes: readonly Nodes[],
  form: 'items' | 'lines',
): { readonly prose: string; readonly words: string; read(part: Part): Clauses } {
  const types = form === 'items' ? (['code', 'html', 'table'] as const) : (['code'] as const)
  const prose = hideIn(text, nodes, { types })
  // No blanks: a clause would lose the code at its beginning.
  const words = hideIn(prose, nodes, { types: ['inlineCode'], sign: '\u0001' })
  return {
    prose,
    words,
    read({ place, start, end }) {
      const own = prose.slice(start, end)
      const found = wordsIn(words.slice(start, end), form)
      const clauses = found.map(({ start: at, end: from, word, mark, isFirst }, index): Clause => {
        const said = own.slice(from, found[index + 1]?.start).replace(mark, '')
        return { word, isFirst, ...advance(place, own.slice(0, at)), text: joinedText(said) }
      })
      return { lead: joinedText(own.slice(0, found[0]?.start)), clauses }
    },
  }
}

const mark = String.raw`[*_~\x60]{1,3}|<\w+>`
const clausePattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(?<open>${mark})?(?<more>(?:and|but)\s+)?(?<word>given|when|then|and|but)(?![\p{L}\p{N}-])(?:\s*:)?(?<close>${mark}|</\w+>)?\s*[:,]?`,
  'giu',
)
/** Matches text without words: marks of lists, quotes and tables, numbers, and other signs. */
const onlyMarks = /^(?:[^\p{L}\p{N}]|\d+[.)]|<\w+>|\[[xX]\])*$/u

/** Finds clause words. In form `items`, a marked word (`**Then**`) turns unmarked words into plain text. */
function wordsIn(text: string, form: 'items' | 'lines') {
  const found = [...text.matchAll(clausePattern)].map(({ 0: whole, index, groups = {} }) => {
    const { open = '', more = '', word = '', close = '' } = groups
    const before = text.slice(text.lastIndexOf('\n', index - 1) + 1, index)
    const isMarked = open !== '' && (close !== '' || form === 'lines')
    const isSecond = more === '' || isMarked || word === word.toUpperCase()
    const said = isSecond ? word : more.trim()
    const indent = before.search(/\S|$/)
    return {
      word: said.toLowerCase() as ClauseWord, // `clausePattern` matches no other words
      start: form === 'lines' ? index - before.length + indent : index,
      end: index + (isSecond ? whole.length : open.length + said.length),
      // In `**Given a cart**`, the closing mark is part of the clause's text, and `read` removes this mark.
      mark: close === '' ? open : '',
      isMarked,
      isFirst: onlyMarks.test(before),
      isBehindPoint: /[,;.:!?—–-]\s*$/.test(text.slice(Math.max(0, index - 40), index)),
      isCapital: /^\p{Lu}/u.test(more || word),
      isUpper: said === said.toUpperCase(),
      indent,
    }
  })
  const isStrong = found.some(({ word, isMarked }) => word === 'then' && isMarked)
  let isOutcome = false
  let deepest = Infinity
  return found.filter(({ word, isMarked, isFirst, isBehindPoint, isCapital, isUpper, indent }) => {
    const isMore = word === 'and' || word === 'but'
    const isPlain = isMore ? isUpper || (isFirst && isCapital) : isFirst || (isBehindPoint && (isCapital || !isOutcome))
    const isClause =
      form === 'lines'
        ? isFirst && (isMarked || isUpper || (isCapital && indent <= deepest))
        : isMarked
          ? isFirst || isBehindPoint || isCapital
          : !isStrong && isPlain
    if (isClause) deepest = indent
    if (isClause && !isMarked && word === 'then') isOutcome = true
    return isClause
  })
}

const firstWord = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}*_<\x60]|\d+[.)]|\[[xX]\])*(?<mark>${mark})?(?<word>given|when|then)(?![\p{L}\p{N}-])`,
  'iu',
)

/** Matches a line with `Given`, `When` and `Then`. The lookaheads keep the time linear on long lines. */
const isWholeScenario = /^(?:(?!\bgiven\b).)*\bgiven\b(?:(?!\bwhen\b).)+\bwhen\b.+\bthen\b/i

/** The clause word at the start of each line, if it is marked, in capitals, or near other clause words. */
export function clauseWordsOf(lines: readonly string[]): readonly (ClauseWord | undefined)[] {
  const found = lines.map((line) => firstWord.exec(line)?.groups)
  const wordAt = (index: number): string | undefined => found[index]?.word?.toLowerCase()
  return found.map((groups, index) => {
    if (/\|\s*when\s*\|\s*then\s*(?:\||$)/i.test(lines[index] ?? '')) return 'then'
    const { mark: own, word = '' } = groups ?? {}
    const beside = [index - 1, index + 1].map(wordAt)
    const isOne =
      own !== undefined ||
      word === word.toUpperCase() ||
      isWholeScenario.test(lines[index] ?? '') ||
      beside.some((each) => each && each !== wordAt(index))
    return word !== '' && isOne ? (word.toLowerCase() as ClauseWord) : undefined // `firstWord` matches no other words
  })
}

/** Whether each line looks like a part of a test: an item that begins with `Then`, or `Given`, `When` and `Then`. */
export function looksLikeTests(lines: readonly string[]): readonly boolean[] {
  const words = clauseWordsOf(lines)
  const isItem = (line: string): boolean => /^\s*(?:[-*+_]|\d+[.)])/.test(line)
  return lines.map((line, index) => (words[index] === 'then' && isItem(line)) || isWholeScenario.test(line))
}

/** The text of a heading or bold label, without marks; empty for any other line. */
export function namedIn(line: string): string {
  const [, title = ''] = /^[\s>]*(?:#{1,6}\s*|\*\*|__)(.+)$/.exec(line) ?? []
  return title.replace(/[*_]+/g, '').trim()
}

export function isLabel(line: string): boolean {
  return /^(?:(\*\*|__)(?!(?:given|when|then|and|but)\b)[^*_]+(?::\1|\1\s*:))$/i.test(line)
}

/** Joins text to one line without marks, up to the next label. Items of lists are separated by `;`. */
function joinedText(text: string): string {
  const all = text.split('\n')
  const label = all.findIndex((line, index) => index > 0 && isLabel(line.trim()))
  let joined = ''
  for (const line of all.slice(0, label === -1 ? all.length : label)) {
    const [, bullet, rest = ''] = /^\s*((?:[-*+>]|\d+[.)])(?:\s+|$)(?:\[[ xX]\]\s+)?)?(.*)$/.exec(line) ?? []
    if (rest.trim() === '') continue
    const isSetOff = bullet !== undefined && joined !== '' && !/[:;,]$/.test(joined)
    joined += `${joined === '' ? '' : isSetOff ? '; ' : ' '}${rest.trim()}`
  }
  return withoutMarks(joined)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,:;|—–]+|[\s,:;|—–]+$/g, '')
}

function withoutMarks(text: string): string {
  const spans: string[] = []
  return text
    .replace(/`+[^`]*`+/g, (span) => `\u0001${spans.push(span) - 1}\u0001`)
    .replace(/(\*\*|__)(\S(?:.*?\S)?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(\S(?:[^*]*?\S)?)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])_(\S(?:[^_]*?\S)?)_(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\u0001(\d+)\u0001/g, (_held, index: string) => spans[Number(index)] ?? '')
}
