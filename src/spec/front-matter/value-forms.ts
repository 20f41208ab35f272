import { posix } from 'node:path'
import { maxTimerMs } from '../../system/slots-and-timers.ts'
import { advance } from '../markdown/positions-and-placeholders.ts'
import type { Place } from '../spec.ts'

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** A tag that Vitest accepts: no white space, no comma, and none of `!*&|()`, which Vitest's tag filters use. */
export const tagPattern = /^[^\s!*&|(),]+$/

/** Whether a relative path stays inside its directory: not empty, not absolute, and no `..` that leads out. */
export function isInnerPath(path: string): boolean {
  if (path.trim() === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) || path.includes('\0')) return false
  const normalized = posix.normalize(path.replaceAll('\\', '/'))
  return normalized !== '..' && !normalized.startsWith('../')
}

export const durationForm = 'a duration such as `500ms`, `5s`, `3m` or `1h` (at most 596h)'

export const durationPattern = /^(\d+)(ms|s|m|h)$/

const msPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds, 1 to 2 147 483 647; `undefined` for text that is no duration. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text)
  const unitMs = msPerUnit[match?.[2] ?? '']
  if (match === null || unitMs === undefined) return undefined
  const durationMs = Number(match[1]) * unitMs
  return durationMs >= 1 && durationMs <= maxTimerMs ? durationMs : undefined
}

/** One word of an info string or a directive: `name`, `name=value` or `name="some value"`. */
export interface Word extends Place {
  readonly name: string
  readonly value?: string
  readonly raw: string
  /** Whether a quotation mark is not closed, or text follows the closing mark without a space. */
  readonly isBroken: boolean
}

// In quotes, `\"` is a quotation mark, and `\\` is a backslash.
const wordPattern = /(?=\S)([^\s=]*)(?:=(?:"((?:[^"\\]|\\[^])*)"(?!\S)|([^\s]*)))?/g

/** Splits the info string of a fence or the text of a directive. @param start where `text` begins in the spec */
export function parseWords(text: string, start: Place): readonly Word[] {
  let [place, from] = [start, 0]
  return [...text.matchAll(wordPattern)].map(({ 0: raw, 1: name = '', 2: quoted, 3: plain, index }) => {
    place = advance(place, text.slice(from, index))
    from = index
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? plain
    return { name, raw, isBroken: plain?.startsWith('"') ?? false, ...(value !== undefined && { value }), ...place }
  })
}
