import { quoteRegex } from '../../system/text/quoting.ts'

export interface VolatileKind {
  readonly name: 'time' | 'date' | 'clock' | 'uuid' | 'duration' | 'place' | 'path' | 'hex' | 'number' | 'blanks'
  readonly pattern: string
  /** Pattern that replaces such text in a recording. Wide, so that recording the same flow gives the same pattern. */
  readonly source: string
}

const day = String.raw`\d{4}-\d\d-\d\d`
const clock = String.raw`\d\d?:\d\d:\d\d(?:[.,]\d+)?`
const zone = String.raw`(?:Z|[+-]\d\d:?\d\d)?`
const number = String.raw`\d+(?:\.\d+)?`
const duration = `${number} ?(?:ms|µs|s|sec|seconds|min)`

/** Ordered: the first kind that matches counts. */
const kinds: readonly VolatileKind[] = [
  {
    name: 'time',
    pattern: String.raw`${day}(?:[T ]${clock}|T\d\d:\d\d)${zone}`,
    source: String.raw`${day}[T ][\d:.,Z+-]+`,
  },
  { name: 'date', pattern: day, source: day },
  {
    name: 'clock',
    pattern: String.raw`(?<![\d.:\w])${clock}(?:\s?[AaPp][Mm]\b)?(?![\d:])`,
    source: String.raw`\d\d?:\d\d:[\d.,]+(?:\s?[AaPp][Mm])?`,
  },
  { name: 'uuid', pattern: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', source: '[0-9a-fA-F-]{36}' },
  { name: 'duration', pattern: String.raw`${duration}\b`, source: duration },
  { name: 'path', pattern: String.raw`(?:\/[\w.@-]+){2,}`, source: String.raw`\/[\w.\/@-]+` },
  // A number can be a hex id, because one in fifty ids of eight characters contains no letter.
  { name: 'hex', pattern: String.raw`\b(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{6,}\b`, source: '[0-9a-fA-F]+' },
  { name: 'number', pattern: number, source: number },
  // Tables pad their columns: how many blanks there are depends on the text before them.
  { name: 'blanks', pattern: ' {2,}', source: ' +' },
]

const anyKind = new RegExp(kinds.map(({ pattern }) => `(${pattern})`).join('|'), 'g')

/** The folders and the user of an execution, which differ each time. */
const place: VolatileKind = { name: 'place', pattern: '', source: String.raw`\/.+` }
const owner: VolatileKind = { ...place, source: String.raw`\S+` }

export interface TextPart {
  readonly text: string
  readonly kind?: VolatileKind
}

/** Splits a line into volatile text, which includes `places` of this machine or run, and other text. */
export function partsOf(line: string, places: readonly string[] = []): readonly TextPart[] {
  const known = places.filter((path) => path.length > 1).toSorted((a, b) => b.length - a.length)
  if (!known.some((path) => line.includes(path))) return volatileParts(line)
  const pattern = new RegExp(`(?<![\\w.-])(${known.map(quoteRegex).join('|')})(?![\\w-])`)
  return line
    .split(pattern)
    .flatMap((text) =>
      known.includes(text) ? [{ text, kind: text.startsWith('/') ? place : owner }] : volatileParts(text),
    )
}

function volatileParts(line: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const match of line.matchAll(anyKind)) {
    if (match.index > at) parts.push({ text: line.slice(at, match.index) })
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)]
    parts.push({ text: match[0], ...(kind && { kind }) })
    at = match.index + match[0].length
  }
  return at < line.length ? [...parts, { text: line.slice(at) }] : parts
}

export function sourceOfWord(word: string): string {
  const [part, ...more] = partsOf(word)
  if (more.length === 0 && part?.kind !== undefined && part.kind.name !== 'number') return part.kind.source
  if (word.startsWith('/')) return String.raw`\/[\w.\/@+-]+`
  return /^\d+$/.test(word) ? String.raw`\d+` : String.raw`[\w-]+`
}

export interface Present {
  readonly moments: readonly Date[]
  /** Text written by people and agents: dates in it are intended. */
  readonly known?: string
}

/** Dates further away from today are history or data. */
const nearMs = 400 * 24 * 60 * 60_000

/** Whether a text contains a date near today, which may change even if two executions in a row print the same. */
export function isOfNow(text: string, { moments, known = '' }: Present): boolean {
  const [, year, month, date] = /(?<!\d)(\d{4})-?(\d\d)-?(\d\d)(?!\d)/.exec(text) ?? []
  const then = Date.parse(`${year}-${month}-${date}`)
  return !known.includes(text) && moments.some((now) => Math.abs(now.getTime() - then) < nearMs)
}
