import { stripVTControlCharacters } from 'node:util'

/** Control characters of C0 and C1 but tab and line feed, DEL, and those that change the direction or end of lines or are nothing to be seen. */
const unprintable =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/**
 * Commands of CI: two colons at the beginning of a line, behind blanks too (GitHub), and `##[`, `##vso[` or `##teamcity[`
 * anywhere in one (GitHub, Azure, TeamCity). In the middle of a line `::error::` is none in `std::error::Error`.
 */
const commands =
  /(?<=^[^\S\n]*):(?=:)|(?:(?<!\w)|(?<=\u001b\[[\d;]*m)):(?=:(?:error|warning|notice|debug|(?:end)?group|echo|(?:add|set|save|stop|remove)-[a-z]+)\b[^\n]*?::)|#(?=#(?:\[|vso\[|teamcity\[))/gim

/** Text that neither terminal nor CI obeys: control characters are written out, and the first character of a command. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(commands, writtenOut).replaceAll(unprintable, writtenOut)
}

/** The same in one line: runs of white space become a space. */
export function plainLine(text: string): string {
  return plainText(text.replaceAll(/\s+/g, ' ').trim())
}

export function plainJson(json: string): string {
  // Below U+0020 JSON escapes them itself; the rest are in its strings only.
  const escape = (character: string): string => `\\u${hex(character.charCodeAt(0), 4)}`
  return json.replaceAll(unprintable, escape).replaceAll(commands, escape)
}

/** Text as quotes are compared: without colours, each run of white space, line ends too, a space. */
export function collapseSpace(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
}

/** Cut to so many characters, the last of them `…` where something is missing. */
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

/** Without a byte order mark, lines ended by a line feed. */
export function unixText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}
