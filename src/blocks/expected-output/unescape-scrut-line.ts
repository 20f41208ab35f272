import { namedEscapes, unescapeBy, type Unescaped } from './escapes.ts'

const escape = /\\(?:x([0-9a-fA-F]{2})|0([0-7]{2})|([abefrtv\\])|([^]?))/gu

/** Decodes the escapes of scrut: some letters, `\xHH` and `\0NN` for a byte; any other backslash is one. */
export function unescapeScrutLine(text: string): Unescaped {
  return unescapeBy(text, escape, ([whole, hex, octal, name, other]) => {
    if (hex !== undefined) return Buffer.of(parseInt(hex, 16))
    if (octal !== undefined) return Buffer.of(parseInt(octal, 8))
    if (name !== undefined) return Buffer.from(namedEscapes[name] ?? name)
    if (other === '') return 'A backslash at the end stands for nothing. Write it as `\\\\`.'
    if (other === 'x')
      return '`\\x` needs two hexadecimal digits behind it, as in `\\x1b`. Write a backslash as `\\\\`.'
    if (other === '0') return '`\\0` needs two octal digits behind it, as in `\\033`. Write a backslash as `\\\\`.'
    return Buffer.from(whole)
  })
}
