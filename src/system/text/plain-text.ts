import { stripVTControlCharacters } from 'node:util'

/** Control characters except tab and line feed, and characters that are invisible or change text direction. */
const unprintable =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Matches CI commands in a log, such as `::error::` (GitHub) and `##[error]` (Azure). Skips `std::error::Error`. */
const commands =
  /(?<=^[^\S\n]*):(?=:)|(?:(?<!\w)|(?<=\u001b\[[\d;]*m)):(?=:(?:error|warning|notice|debug|(?:end)?group|echo|(?:add|set|save|stop|remove)-[a-z]+)\b[^\n]*?::)|#(?=#(?:\[|vso\[|teamcity\[))/gim

/** Makes text harmless for terminals and CI: escapes control characters and the first character of CI commands. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(commands, writtenOut).replaceAll(unprintable, writtenOut)
}

/** Like `plainText`, on one line: each run of white space becomes a space. */
export function plainLine(text: string): string {
  return plainText(text.replaceAll(/\s+/g, ' ').trim())
}

export function plainJson(json: string): string {
  // `unprintable` and `commands` match only inside JSON strings, so escapes are valid there.
  const escape = (character: string): string => `\\u${hex(character.charCodeAt(0), 4)}`
  return json.replaceAll(unprintable, escape).replaceAll(commands, escape)
}

/** Normalizes text for comparing quotes: removes colors; each run of white space, also line ends, becomes a space. */
export function collapseSpace(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
}

/** A cut text ends with `…`. */
export function cutLine(text: string, maxCharacters: number): string {
  const characters = Array.from(text.slice(0, maxCharacters * 2 + 2))
  return characters.length <= maxCharacters ? text : `${characters.slice(0, Math.max(0, maxCharacters - 1)).join('')}…`
}

function writtenOut(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}

/** Removes a byte order mark and ends all lines with a line feed. */
export function unixText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

/** Index of the line that begins and ends most like the given one. `lines.length` if no line is similar enough. */
export function mostAlike(given: string, lines: readonly string[], minLikeness = 0.3): number {
  let best = { index: lines.length, likeness: minLikeness }
  for (const [index, line] of lines.entries()) {
    const shorter = Math.min(given.length, line.length)
    let head = 0
    while (head < shorter && given[head] === line[head]) head += 1
    let tail = 0
    while (tail < shorter - head && given.at(-1 - tail) === line.at(-1 - tail)) tail += 1
    const likeness = (head + tail) / Math.max(given.length, line.length, 1)
    if (likeness > best.likeness) best = { index, likeness }
  }
  return best.index
}
