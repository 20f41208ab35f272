import { stripVTControlCharacters } from 'node:util'
import type { Runner } from '../../runner.ts'

/** The lines of a text, without an array of them all: an output may have millions. */
export function* linesOf(text: string): Generator<string, void> {
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end)
    start = end + 1
  }
  yield text.slice(start)
}

/** Enough to understand a failure; the raw log has the rest. */
const maxCharacters = 4000

/** The message of a failure: without colours, without frames of a JavaScript stack, and not endless. */
export function messageOf(text: string): string {
  const lines = stripVTControlCharacters(text.slice(0, 4 * maxCharacters)).split('\n')
  const firstFrame = lines.findIndex((line) => /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?)$/.test(line))
  const message = (firstFrame > 0 ? lines.slice(0, firstFrame) : lines).join('\n').trim()
  return message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message
}

/** A text without what differs from run to run: times, addresses, temporary names, ports. */
export function withoutVariance(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/\b0x[\da-f]+\b/gi, 'ADDRESS')
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, 'ID')
    .replaceAll(/\b[\d.]+ ?(?:ms|s|seconds?)\b/g, 'DURATION')
    .replaceAll(/\/tmp\/\S+/g, 'TEMPORARY')
    .replaceAll(/\b(?:127\.0\.0\.1|localhost):\d+/g, 'PORT')
}

export type PlainReader = NonNullable<Runner['readPlain']>

/** Nobody reads more, and a program can print millions of lines that look like failures. */
export const maxFailures = 1000

/** The number before a word, `0` where the word is missing: 3 in `3 failed, 1 passed` for `failed`. */
export function countIn(text: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}\\b`).exec(text)?.[1] ?? 0)
}
