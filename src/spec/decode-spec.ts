import { isUtf8 } from 'node:buffer'

import { advance } from './sections/advance.ts'
import type { Place } from './spec.ts'

/** The text of a spec's bytes, and where the first byte stands that is no UTF-8. */
export interface DecodedSpec {
  readonly text: string
  readonly invalidAt?: Place
}

const replacement = Buffer.from('\uFFFD')

/** Decodes the bytes of a spec. What is no UTF-8 becomes `U+FFFD`, and its first place is given. */
export function decodeSpec(bytes: Uint8Array): DecodedSpec {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('utf8')
  return isUtf8(buffer) ? { text } : { text, invalidAt: findInvalid(buffer, text) }
}

/** The first `U+FFFD` that the bytes do not hold themselves. */
function findInvalid(bytes: Buffer, text: string): Place {
  let offset = 0
  let from = 0
  for (;;) {
    const index = text.indexOf('\uFFFD', from)
    const end = index === -1 ? text.length : index
    offset += Buffer.byteLength(text.slice(from, end))
    if (index === -1 || !bytes.subarray(offset, offset + replacement.length).equals(replacement)) {
      const before = text.slice(0, end).replace(/^\uFEFF/, '')
      return advance({ line: 1, column: 1 }, before.replaceAll(/\r\n?/g, '\n'))
    }
    offset += replacement.length
    from = end + 1
  }
}
