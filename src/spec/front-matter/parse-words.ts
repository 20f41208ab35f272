import { advance } from '../markdown/places.ts'
import type { Place } from '../spec.ts'

/** One word of an info string or a directive: `name`, `name=value` or `name="some value"`. */
export interface Word extends Place {
  readonly name: string
  /** Without its quotes; absent where there is no `=`. */
  readonly value?: string
  /** As written. */
  readonly raw: string
  /** A quote is not closed, or something is glued to its end. */
  readonly isBroken: boolean
}

// In quotes, `\"` and `\\` stand for the character itself.
const wordPattern = /([^\s=]*)(?:=(?:"((?:[^"\\]|\\[^])*)"(?!\S)|([^\s]*)))?/y

/**
 * Splits the info string of a fence or the text of a directive into words.
 *
 * @param start where `text` begins in the spec
 */
export function parseWords(text: string, start: Place): readonly Word[] {
  const words: Word[] = []
  const pattern = new RegExp(wordPattern)
  let place = start
  let from = 0
  for (let next = nextWord(text, 0); next < text.length; next = nextWord(text, pattern.lastIndex)) {
    place = advance(place, text.slice(from, next))
    from = next
    pattern.lastIndex = next
    const match = pattern.exec(text)
    if (match === null) break
    words.push({ ...toWord(match), ...place })
  }
  return words
}

function toWord([raw, name = '', quoted, plain]: RegExpExecArray): Omit<Word, keyof Place> {
  const value = quoted?.replace(/\\(["\\])/g, '$1') ?? plain
  return { name, raw, isBroken: plain?.startsWith('"') ?? false, ...(value === undefined ? {} : { value }) }
}

function nextWord(text: string, from: number): number {
  const pattern = /\S|$/g
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}
