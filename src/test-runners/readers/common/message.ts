import { stripVTControlCharacters } from 'node:util'

/** Enough to understand a failure; the raw log has the rest. */
const maxCharacters = 4000

/** The message of a failure: without colours, without frames of a JavaScript stack, and not endless. */
export function messageOf(text: string): string {
  const lines = stripVTControlCharacters(text.slice(0, 4 * maxCharacters)).split('\n')
  const firstFrame = lines.findIndex((line) => /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?)$/.test(line))
  const message = (firstFrame > 0 ? lines.slice(0, firstFrame) : lines).join('\n').trim()
  return message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message
}
