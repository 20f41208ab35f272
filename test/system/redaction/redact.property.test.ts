import fc from '../../support/fast-check.ts'
import { expect, test } from 'vitest'
import { createRedactor } from '../../../src/system/redaction/open-redactor.ts'
import type { Secret } from '../../../src/system/redaction/secret-forms.ts'

/** Few different characters, so that secrets overlap, nest and repeat; and any characters at all. */
const chars = fc.oneof(
  fc.constantFrom('a', 'b', '*', '"', '\\', '\n', '/', '%', '+', ' ', 'é', '漢', '😀', '\u0001'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
)
const value = fc
  .array(chars, { minLength: 8, maxLength: 24 })
  .map((units) => units.join('').trim())
  .filter((text) => [...text].length >= 8)
const secrets = fc.array(fc.record({ name: fc.constantFrom('A_KEY', 'B_TOKEN', '***C***'), value }), {
  minLength: 1,
  maxLength: 4,
})
const filler = fc.array(chars, { maxLength: 12 }).map((units) => units.join(''))

const forms: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(text).toLowerCase(),
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
]

/** Secrets in random forms, parts of secrets, and other text. */
function texts(of: readonly Secret[]): fc.Arbitrary<string> {
  const secret = fc.constantFrom(...of.map((each) => each.value))
  const written = fc.tuple(secret, fc.constantFrom(...forms)).map(([text, write]) => write(text))
  const part = fc.tuple(secret, fc.nat(24), fc.nat(24)).map(([text, from, to]) => text.slice(from, to))
  const base64 = fc
    .tuple(filler, secret, filler, fc.constantFrom('base64' as const, 'base64url' as const))
    .map(([before, text, after, encoding]) => Buffer.from(before + text + after).toString(encoding))
  return fc.array(fc.oneof(filler, written, part, base64), { maxLength: 8 }).map((pieces) => pieces.join(''))
}

const cases = secrets.chain((of) => fc.record({ of: fc.constant(of), text: texts(of) }))

function stableMiddles(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  )
}

test('no form of a secret is left, whatever surrounds it', () => {
  fc.assert(
    fc.property(cases, ({ of, text }) => {
      const redacted = createRedactor(of).redact(text)
      for (const secret of of) {
        const lowered = encodeURIComponent(secret.value).replace(/%../g, (code) => code.toLowerCase())
        const written = [...forms.filter((_, index) => index !== 4).map((write) => write(secret.value)), lowered]
        for (const each of written) expect(redacted).not.toContain(each)
        for (const each of stableMiddles(secret.value)) {
          expect(redacted).not.toContain(each)
          expect(redacted).not.toContain(each.replaceAll('+', '-').replaceAll('/', '_'))
        }
      }
    }),
  )
})

test('the pieces of a stream, however cut, make up the redacted whole', () => {
  fc.assert(
    fc.property(cases, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), ({ of, text }, sizes) => {
      const redactor = createRedactor(of)
      const stream = redactor.createStream()
      let output = ''
      for (let from = 0, turn = 0; from < text.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1
        output += stream.write(text.slice(from, from + size))
        from += size
      }
      expect(output + stream.end()).toBe(redactor.redact(text))
    }),
  )
})
