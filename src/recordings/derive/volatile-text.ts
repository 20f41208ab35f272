import { quoteRegex } from '../../system/text/quoting.ts'

/** A kind of text that is another one each time although the product does the same. */
export interface VolatileKind {
  readonly name: 'time' | 'date' | 'day' | 'clock' | 'uuid' | 'duration' | 'place' | 'path' | 'hex' | 'number'
  /** Finds it. */
  readonly pattern: string
  /** Stands for it in a recording. Wide, so that one flow gives the same recording each time. */
  readonly source: string
}

const fraction = String.raw`(?:[.,]\d+)?`
const zone = String.raw`(?:Z|[+-]\d\d:?\d\d)?`
const time = String.raw`\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?| \d\d:\d\d:\d\d)${fraction}${zone}`
const duration = String.raw`\d+(?:\.\d+)? ?(?:ms|µs|s|sec|seconds|min)`
const weekday = 'Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?'
const month =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t|tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?'
const monthDay = String.raw`\d{1,2}\.?[ -](?:${month})|(?:${month}) +\d{1,2}(?:st|nd|rd|th)?`
const dayInWords = String.raw`\b(?:(?:${weekday}),? +)?(?:${monthDay})(?:[, -]+\d{4})?\b|\b(?:${weekday})\b`
const dayInNumbers = String.raw`\b(?:\d{4}\/\d\d?\/\d\d?|\d\d?\/\d\d?\/\d{4}|\d\d?\.\d\d?\.\d{4})\b`

/** The first that fits counts. */
const kinds: readonly VolatileKind[] = [
  { name: 'time', pattern: time, source: String.raw`\d{4}-\d\d-\d\d[T ][\d:.,Z+-]+` },
  { name: 'date', pattern: String.raw`\d{4}-\d\d-\d\d`, source: String.raw`\d{4}-\d\d-\d\d` },
  { name: 'day', pattern: dayInNumbers, source: String.raw`[\d\/.]+` },
  { name: 'day', pattern: dayInWords, source: String.raw`\w[\w,. -]*` },
  {
    name: 'clock',
    pattern: String.raw`(?<![\d.:\w])\d\d?:\d\d(?::\d\d${fraction})?(?:\s?[AaPp][Mm]\b)?(?![\d:])`,
    source: String.raw`\d\d?:\d\d[\d:.,]*(?:\s?[AaPp][Mm])?`,
  },
  { name: 'uuid', pattern: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', source: '[0-9a-fA-F-]{36}' },
  { name: 'duration', pattern: String.raw`${duration}\b`, source: duration },
  { name: 'path', pattern: String.raw`(?:\/[\w.@-]+){2,}`, source: String.raw`\/[\w.\/@-]+` },
  // One of fifty ids of eight characters has no letter: such a number counts as an id, too.
  { name: 'hex', pattern: String.raw`\b(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{6,}\b`, source: '[0-9a-fA-F]+' },
  { name: 'number', pattern: String.raw`\d+(?:\.\d+)?`, source: String.raw`\d+(?:\.\d+)?` },
]

const anyKind = new RegExp(kinds.map(({ pattern }) => `(${pattern})`).join('|'), 'g')

/** Where an execution worked: another place each time. What lies below it does not change. */
const place: VolatileKind = { name: 'place', pattern: '', source: String.raw`\/.+` }

/** A piece of a line: plain text, or something volatile. */
export interface TextPart {
  readonly text: string
  /** Absent for plain text. */
  readonly kind?: VolatileKind
}

/**
 * Cuts a line into what may be volatile and what is not.
 *
 * @param places absolute paths of folders that are others on another machine, or in another run
 */
export function partsOf(line: string, places: readonly string[] = []): readonly TextPart[] {
  const known = places.filter((path) => path.length > 1).toSorted((a, b) => b.length - a.length)
  if (!known.some((path) => line.includes(path))) return volatileParts(line)
  const pattern = new RegExp(`(?<![\\w.-])(${known.map(quoteRegex).join('|')})(?![\\w-])`)
  return line
    .split(pattern)
    .flatMap((text) => (known.includes(text) ? [{ text, kind: place }] : text === '' ? [] : volatileParts(text)))
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

/** What a word looks like, as a regular expression that other words of its kind match. */
export function sourceOfWord(word: string): string {
  const [part, ...more] = partsOf(word)
  if (more.length === 0 && part?.kind !== undefined && part.kind.name !== 'number') return part.kind.source
  if (word.startsWith('/')) return String.raw`\/[\w.\/@+-]+`
  return /^\d+$/.test(word) ? String.raw`\d+` : String.raw`[\w-]+`
}

/** When and with which words a recording came about. */
export interface Present {
  /** When it was executed. */
  readonly moments: readonly Date[]
  /** What people and agents wrote: a date that stands there is one that is meant. */
  readonly known?: string
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Further away a date is history, or data. */
const nearMs = 400 * dayMs
/** Between an execution and what it says of now. */
const momentMs = 3 * minuteMs

/**
 * Whether something was reckoned from the clock, although two executions in a row show the same: a date around today that
 * nobody wrote down, a time of this minute, this year.
 */
export function isOfNow({ text, kind }: TextPart, { moments, known = '' }: Present): boolean {
  switch (kind?.name) {
    case 'time':
    case 'date':
    case 'day':
      return !known.includes(text) && moments.some((now) => isNearDay(text, now))
    case 'clock':
      return moments.some((now) => isNearClock(text, now))
    case 'number':
      return moments.some((now) => text === String(now.getFullYear())) && !known.includes(text)
    case 'hex':
      return moments.some((now) => text.startsWith(compactDay(now)))
    default:
      return false
  }
}

/** `20261122` */
export function compactDay(now: Date): string {
  return now.toISOString().slice(0, 10).replaceAll('-', '')
}

function isNearDay(text: string, now: Date): boolean {
  if (/^[A-Z][a-z]+$/.test(text)) return isWeekday(text, now)
  return daysIn(text, now).some((day) => Math.abs(day - now.getTime()) < nearMs)
}

/** A day of the week is today, yesterday or tomorrow; others are names. */
function isWeekday(text: string, now: Date): boolean {
  return [-1, 0, 1].some((days) => new Date(now.getTime() + days * dayMs).toUTCString().startsWith(text.slice(0, 3)))
}

/** What a date may mean, in milliseconds; months and days in numbers can be meant either way. */
function daysIn(text: string, now: Date): readonly number[] {
  const iso = /^\d{4}-\d\d-\d\d/.exec(text)?.[0]
  if (iso !== undefined) return realDays([iso])
  const numbers = /^(\d+)[/.](\d+)[/.](\d+)$/.exec(text)?.slice(1).map(Number)
  if (numbers === undefined) {
    const words = text
      .replace(/(\d)(?:st|nd|rd|th)\b/, '$1')
      .replace(/\b([A-Z][a-z]{2})[a-z]*/g, '$1')
      .replace(/[-.]/g, ' ')
    return realDays([/\d{4}/.test(words) ? `${words} UTC` : `${words} ${now.getFullYear()} UTC`])
  }
  const [a = 0, b = 0, c = 0] = numbers
  return a > 31 ? realDays([`${a}-${b}-${c} UTC`]) : realDays([`${c}-${a}-${b} UTC`, `${c}-${b}-${a} UTC`])
}

function realDays(dates: readonly string[]): readonly number[] {
  return dates.map((date) => Date.parse(date)).filter((ms) => !Number.isNaN(ms))
}

/** In UTC, which blocks have, or where this machine stands. */
function isNearClock(text: string, now: Date): boolean {
  const [, hours = '', minutes = '', half = ''] = /^(\d+):(\d\d).*?([AaPp])?[Mm]?$/.exec(text) ?? []
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const meant = (hour * 60 + Number(minutes)) * minuteMs
  return [now.getTime(), now.getTime() - now.getTimezoneOffset() * minuteMs].some((ms) => {
    const apart = Math.abs((ms % dayMs) - meant)
    return Math.min(apart, dayMs - apart) <= momentMs
  })
}
