import { loneByteBase, textOfBytes } from '../../system/text/byte-text.ts'

export type Unescaped =
  | { readonly ok: true; readonly text: string }
  /** `index`: place of the bad escape, from 0. */
  | { readonly ok: false; readonly index: number; readonly message: string }

const escape =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([abeEfnrtv\\'"?]))|\\([^]?)/gu

const sameInJavaScript = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const namedEscapes: Readonly<Record<string, string>> = { ...sameInJavaScript, a: '\x07', e: '\x1B', E: '\x1B' }

/** Decodes the escapes of bash's `$'…'`. `\xHH` and `\NNN` are bytes, so that output need not be valid UTF-8. */
export function unescapeLine(text: string): Unescaped {
  const parts: Buffer[] = []
  let end = 0
  for (const match of text.matchAll(escape)) {
    const decoded = decode(match)
    if (typeof decoded === 'string') return { ok: false, index: match.index, message: decoded }
    if (decoded.includes('\n')) return { ok: false, index: match.index, message: newlineMessage }
    parts.push(Buffer.from(text.slice(end, match.index)), decoded)
    end = match.index + match[0].length
  }
  return { ok: true, text: textOfBytes(Buffer.concat([...parts, Buffer.from(text.slice(end))])) }
}

const newlineMessage = 'A line of output never holds a newline. Write two lines.'

function decode([whole, byte, short, long, octal, name, unknown]: RegExpExecArray): Buffer | string {
  if (unknown !== undefined) return `\`${whole}\` is no escape. Write a backslash as \`\\\\\`.`
  if (name !== undefined) return Buffer.from(namedEscapes[name] ?? name)
  if (byte !== undefined || octal !== undefined) {
    const value = byte === undefined ? parseInt(octal ?? '', 8) : parseInt(byte, 16)
    return value <= 0xff ? Buffer.of(value) : `\`${whole}\` is more than a byte: it ends at \`\\377\`.`
  }
  const value = parseInt(short ?? long ?? '', 16)
  const isCharacter = value <= 0x10ffff && (value < 0xd800 || value > 0xdfff)
  return isCharacter ? Buffer.from(String.fromCodePoint(value)) : `\`${whole}\` is no character of Unicode.`
}

/** Matches what readers cannot see or editors may change: control characters, invalid UTF-8, blanks at the end. */
const hidden = /[\0-\x08\n-\x1F\x7F-\x9F\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF\p{Cs}]|^ *\t|[ \t]$/u

export function needsEscape(line: string): boolean {
  return hidden.test(line)
}

export function escapeLine(line: string): string {
  return line
    .replace(/[\0-\x1F\\\x7F-\x9F\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF\p{Cs}]/gu, escapeCharacter)
    .replace(/ $/, '\\x20')
}

function escapeCharacter(character: string): string {
  const value = character.codePointAt(0) ?? 0
  if (character === '\\') return '\\\\'
  if (character === '\t') return '\\t'
  if (character === '\r') return '\\r'
  if (value < 0x80) return `\\x${value.toString(16).padStart(2, '0')}`
  if (value >= loneByteBase + 0x80 && value <= loneByteBase + 0xff) return `\\x${(value - loneByteBase).toString(16)}`
  return `\\u${value.toString(16).padStart(4, '0')}`
}
