import { isUtf8 } from 'node:buffer'

/** Matches a valid UTF-8 character beyond ASCII, or a single invalid byte, in bytes that were decoded as latin1. */
const beyondAscii =
  /[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2}|[\x80-\xFF]/g

export const loneByteBase = 0xdc00

/** Decodes UTF-8 without loss: an invalid byte becomes a lone surrogate, U+DC80 to U+DCFF. */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return bytes
    .toString('latin1')
    .replace(beyondAscii, (part) =>
      part.length > 1
        ? Buffer.from(part, 'latin1').toString('utf8')
        : String.fromCharCode(loneByteBase + part.charCodeAt(0)),
    )
}

/** After texts were joined, invalid bytes that are now side by side may form a valid character. Decodes such bytes. */
export function joinLoneBytes(text: string): string {
  return text.replace(/[\uDC80-\uDCFF]{2,}/gu, (run) => textOfBytes(Buffer.from(run, 'latin1')))
}

export function withoutLoneBytes(text: string): string {
  return text.replace(/[\uDC80-\uDCFF]/gu, '\uFFFD')
}
