import type { Code } from 'mdast'

import type { BodyContext, Swallowed } from '../markdown/body-item.ts'
import { splitInfo, type Fence } from './fence.ts'
import { parseWords } from '../front-matter/parse-words.ts'
import type { Placeholders } from '../sections/placeholders.ts'
import { findInFence } from '../rules/swallowed.ts'

/**
 * Reads a fence from the source, since the syntax tree keeps no columns and resolves escapes. Indented code gives
 * `undefined`.
 */
export function readFence(node: Code, { text, placeholders, languages }: BodyContext): Fence | undefined {
  const { line = 1, column = 1, offset = 0 } = node.position?.start ?? {}
  const opening = /(`{3,}|~{3,})[ \t]*([^\n]*)/y
  opening.lastIndex = offset
  const match = opening.exec(text)
  if (match === null) return undefined
  const [whole, marker = '', info = ''] = match
  const infoColumn = column + whole.length - info.length
  const configAt = findConfig(info, languages)
  const all = parseWords(info.slice(0, configAt), { line, column: infoColumn })
  const isClosed = isClosedFence(node, text, marker)
  const fence: Fence = {
    line,
    column,
    ...splitInfo(all),
    code: node.value,
    marker,
    isClosed,
    ...(configAt < info.length && { config: { line, column: infoColumn + configAt, text: info.slice(configAt) } }),
  }
  return placeholders === undefined ? fence : filled(fence, placeholders)
}

/** With the values of a row in its code and in the values of its attributes. */
function filled(fence: Fence, { fill }: Placeholders): Fence {
  const words = fence.words.map((word) =>
    word.value === undefined ? word : { ...word, value: fill(word.value), raw: fill(word.raw) },
  )
  const config = fence.config && { ...fence.config, text: fill(fence.config.text) }
  return { ...fence, words, code: fill(fence.code), ...(config && { config }) }
}

/** Index of the configuration in an info string; its length where there is none. */
function findConfig(info: string, languages: BodyContext['languages']): number {
  const language = languages.find(({ name, hasConfig }) => hasConfig && info.startsWith(name))
  const at = info.indexOf('{')
  return language === undefined || at === -1 ? info.length : at
}

/** What a fence takes in because its end was forgotten. */
export function swallowedBy({ line, column, marker, code }: Fence, { languages }: BodyContext): readonly Swallowed[] {
  return findInFence(code, { outer: marker, languages }).map(({ index, what, isOnlyWithoutAgent }) => {
    const [name, effect] = what === 'heading' ? [what, 'it would be no step'] : ['block', 'it would not run']
    const message = `This ${name} is inside the fence that opens on line ${line}, so ${effect}. Close that fence before, or give it a longer marker.`
    return { kind: 'swallowed', what, line: line + 1 + index, column, message, isOnlyWithoutAgent }
  })
}

function isClosedFence(node: Code, text: string, marker: string): boolean {
  const { start, end } = node.position ?? {}
  if (start === undefined || end === undefined || start.line === end.line) return false
  const source = text.slice(start.offset, end.offset)
  const lastLine = source.slice(source.lastIndexOf('\n') + 1)
  const run = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(lastLine)?.[1]
  if (run === undefined || !run.startsWith(marker)) return false
  // An indented look-alike is content: then the content reaches down to the last line.
  const reachesEnd = node.value.split('\n').length === end.line - start.line
  return !(reachesEnd && (node.value.split('\n').at(-1) ?? '').trim() === run)
}
