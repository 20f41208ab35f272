import { parseWords } from './parse-words.ts'
import type { Word } from './parse-words.ts'

/** Whether the words of an info string make a fence ours. */
export function isMarkedFence(words: readonly Word[]): boolean {
  return words.some(({ name, value }) => (value === undefined ? name === 'run' || name === 'verify' : name === 'file'))
}

/**
 * Looks for the opening of an executed block inside other text: inside a fence it means that the closing fence
 * was forgotten, inside raw HTML that the blank line was.
 *
 * @param marker fence around the text; a shorter or different fence inside it is content. Empty for none.
 * @returns index of the line in `text`, from 0
 */
export function findSwallowedFence(text: string, marker: string): number | undefined {
  if (!/run|verify|file=/.test(text)) return undefined
  const index = text.split('\n').findIndex((line) => {
    const match = /^ {0,3}(`{3,}|~{3,})[ \t]*(\S.*)$/.exec(line)
    return match !== null && match[1]?.startsWith(marker) === true && isMarkedInfo(match[2] ?? '')
  })
  return index === -1 ? undefined : index
}

function isMarkedInfo(info: string): boolean {
  return isMarkedFence(parseWords(info, { line: 1, column: 1 }))
}
