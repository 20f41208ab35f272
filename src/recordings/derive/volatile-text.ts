import os from 'node:os'
import { basename } from 'node:path'
import { passedOn } from '../../blocks/shell/shell-environment.ts'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'

export interface VolatileKind {
  readonly name: 'time' | 'date' | 'clock' | 'uuid' | 'duration' | 'place' | 'path' | 'hex' | 'number' | 'blanks'
  readonly pattern: string
  /** Pattern for text of this kind if only one value is known. */
  readonly source: string
}

const monthAndDay = (between: string): string => `(?:0[1-9]|1[0-2])${between}(?:0[1-9]|[12]\\d|3[01])`
const day = String.raw`\d{4}-${monthAndDay('-')}`
const monthName =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const weekday = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?'
const dayInWords = String.raw`${weekday}(?:\d\d?[ -]${monthName}[ -]|${monthName} +\d\d?,? )\d{4}`
/** As `date` and `ls -l` write days of this year. */
const dayOfYear = String.raw`${weekday}${monthName} +\d\d?(?: \d\d:\d\d(?!\d|:))?`
const dayInNumbers = String.raw`(?:\d{4}[/.]\d\d?[/.]\d\d?|\d\d?[/.]\d\d?[/.]\d{4})`
const clock = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?`
const zone = String.raw`(?:Z|[+-]\d\d:?\d\d)?`
const number = String.raw`\d+(?:\.\d+)?`
const duration = `${number} ?(?:ms|µs|s|sec|seconds|min)`
const time = String.raw`${day}(?:[T ]${clock}|T\d\d:\d\d)${zone}`

/** In order of precedence: a text is of the first kind that matches. */
const kinds: readonly VolatileKind[] = [
  { name: 'time', pattern: time, source: time },
  { name: 'date', pattern: day, source: day },
  ...[dayInWords, dayOfYear].map((source) => ({ name: 'date' as const, pattern: String.raw`\b${source}\b`, source })),
  { name: 'date', pattern: String.raw`(?<![\d./])${dayInNumbers}(?![\d/]|\.\d)`, source: dayInNumbers },
  {
    name: 'clock',
    pattern: String.raw`(?<![\d.:\w])${clock}(?:\s?[AaPp][Mm]\b)?(?![\d:])`,
    source: String.raw`${clock}(?:\s?[AaPp][Mm])?`,
  },
  { name: 'uuid', pattern: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', source: '[0-9a-fA-F-]{36}' },
  { name: 'duration', pattern: String.raw`${duration}\b`, source: duration },
  { name: 'path', pattern: String.raw`(?:\/[\w.@-]+){2,}`, source: String.raw`\/[\w.\/@-]+` },
  // An id in hex may have no letter: of eight random digits, one in fifty has none.
  { name: 'hex', pattern: String.raw`\b(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{6,}\b`, source: '[0-9a-fA-F]+' },
  { name: 'number', pattern: number, source: number },
  // Tables pad their columns, so the number of blanks depends on other text.
  { name: 'blanks', pattern: ' {2,}', source: ' +' },
]

const anyKind = new RegExp(kinds.map(({ pattern }) => `(${pattern})`).join('|'), 'g')

/** Folders and user name of an execution. They differ in each execution. */
const place: VolatileKind = { name: 'place', pattern: '', source: String.raw`\/.+` }
const owner: VolatileKind = { ...place, source: String.raw`\S+` }

export interface TextPart {
  readonly text: string
  readonly kind?: VolatileKind
}

/** Splits a line into volatile text and other text. `places` of this machine or run are volatile. */
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

/** A pattern for other values of the same kind as a word. For a date, it matches any date. */
export function sourceOfWord(word: string, others: readonly string[] = []): string {
  const [part, ...more] = partsOf(word)
  if (word.startsWith('/')) return String.raw`\/[\w.\/@+-]+`
  const kind = more.length === 0 && part?.kind?.name !== 'number' ? part?.kind : undefined
  if (others.length > 0) return kind === undefined ? formOf([word, ...others]) : sourceOf(kind, [word, ...others])
  return kind?.source ?? (/^\d+$/.test(word) ? String.raw`\d+` : String.raw`[\w-]+`)
}

/** The narrowest pattern of a kind that accepts values like these. */
export function sourceOf({ name, source }: VolatileKind, values: readonly string[]): string {
  const isEach = (pattern: string): boolean => values.every((value) => new RegExp(`^${pattern}$`).test(value))
  const compactDay = String.raw`\d{4}${monthAndDay('')}`
  if (name === 'hex' && isEach(compactDay)) return compactDay
  if (name === 'hex' || name === 'uuid') return formOf(values)
  if (name === 'number') return [String.raw`\d+`].find(isEach) ?? source
  // An action of 950 ms may take 1.05 s elsewhere, so a pattern allows both units.
  const units = values.flatMap((value) => {
    const [unit = ''] = / ?[^\d. ]+$/.exec(value) ?? []
    return /^ ?m?s$/.test(unit) ? ['ms', 's'].map((each) => unit.replace(/m?s$/, each)) : [unit]
  })
  const [unit, ...others] = new Set(units)
  return name === 'duration' ? number + (others.length === 0 ? unit : `(?:${[unit, ...others].join('|')})`) : source
}

/** A pattern for similar ids. For `order-17` and `order-18`, it is `order-\d+`. */
function formOf(ids: readonly string[]): string {
  const lists = ids.map((id) => id.split(/([_-]+)/))
  const marks = lists.map((list) => list.filter((_, index) => index % 2 === 1).join(' '))
  const columns = new Set(marks).size === 1 ? lists[0]?.map((_, at) => lists.map((list) => list[at] ?? '')) : undefined
  if (columns === undefined) return String.raw`[\w-]${lengthOf(ids)}`
  const isKept = ([first = '', ...others]: readonly string[]): boolean =>
    !/\d/.test(first) && others.every((other) => other === first)
  const moving = columns.flatMap((column) => (isKept(column) ? [] : column)).join('')
  const letters = [/[g-z]/, /[a-f]/, /[G-Z]/, /[A-F]/].map((some) => some.test(moving))
  const lower = letters[0] ? 'a-z' : letters[1] ? 'a-f' : ''
  const upper = letters[2] ? 'A-Z' : letters[3] ? 'A-F' : ''
  const alphabet = lower + upper === '' ? String.raw`\d` : `[0-9${lower}${upper}]`
  return columns
    .map((column) => (isKept(column) ? column[0] : alphabet + (alphabet.length > 2 ? lengthOf(column) : '+')))
    .join('')
}

/** Lengths that ids have on purpose, such as parts of a uuid or digests. Other lengths may vary. */
const fixedLengths = [4, 7, 8, 12, 16, 24, 32, 40, 64]

function lengthOf([first = '', ...others]: readonly string[]): string {
  const isFixed = fixedLengths.includes(first.length) && others.every(({ length }) => length === first.length)
  return isFixed ? `{${first.length}}` : '+'
}

export interface Present {
  readonly moments: readonly Date[]
  /** Text by people and agents. Its dates are intended, so they stay as they are. */
  readonly known?: string
}

/** Whether a date is of this year or one beside it. Others are data, such as birthdays, and will not change. */
export function isOfNow(text: string, { moments, known = '' }: Present): boolean {
  const day = new RegExp(dayOfYear).exec(text)?.[0]
  const year = yearFirst.exec(text)?.[1] ?? /[a-z/.][^a-z]*?(\d{4})$/.exec(text)?.[1]
  return (
    !known.includes(text) &&
    moments.some((now) => {
      if (year !== undefined) return Math.abs(now.getFullYear() - Number(year)) < 2
      const ofYear = (by: number): number => Date.parse(`${day} ${now.getFullYear() + by}`)
      return [-1, 0, 1].some((by) => Math.abs(now.getTime() - ofYear(by)) < 2 * dayMs)
    })
  )
}

const yearFirst = new RegExp(String.raw`(?<!\d)(\d{4})(?:-?${monthAndDay('-?')}(?!\d)|[/.])`)
const dayMs = 24 * 60 * 60_000

/** Values that are personal or of this machine, such as user name, home folder and host name. */
export function personalValues(env: NodeJS.ProcessEnv): readonly string[] {
  const passed = passedOn.flatMap((name) => env[name] ?? [])
  const machine = [os.hostname(), os.type(), os.release(), os.machine(), os.platform(), os.arch()]
  return [...passed, basename(env['HOME'] ?? ''), ...machine, process.version, process.versions.node]
}
