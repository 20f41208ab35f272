import type { TextPart } from './volatile-text.ts'

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
