import { describe, expect, test } from 'vitest'
import { joinLoneBytes, textOfBytes } from '../../../src/system/text/byte-text.ts'
import fc from '../../support/fast-check.ts'

/** The bytes that a text stands for. */
function bytesOf(text: string): Buffer {
  const parts = text.match(/[\uDC80-\uDCFF]|[^\uDC80-\uDCFF]+/gu) ?? []
  return Buffer.concat(
    parts.map((part) =>
      /^[\uDC80-\uDCFF]$/u.test(part) ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part),
    ),
  )
}

const oddBytes = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes))
/** Beginnings and continuations of characters, which random bytes seldom put together. */
const nearlyUtf8 = fc
  .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xff), {
    maxLength: 10,
  })
  .map((bytes) => Buffer.from(bytes))

describe('bytes', () => {
  test('are never the text of others', () => {
    fc.assert(
      fc.property(fc.oneof(oddBytes, nearlyUtf8), (bytes) => {
        expect(bytesOf(textOfBytes(bytes))).toEqual(bytes)
      }),
    )
  })

  test.each([
    ['an overlong slash', [0xc0, 0xaf], '\uDCC0\uDCAF'],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80], '\uDCED\uDCA0\uDC80'],
    ['more than Unicode has', [0xf4, 0x90, 0x80, 0x80], '\uDCF4\uDC90\uDC80\uDC80'],
    ['a character that is cut off', [0x61, 0xe2, 0x82], 'a\uDCE2\uDC82'],
    ['a character behind such a one', [0xe2, 0xe2, 0x82, 0xac], '\uDCE2€'],
  ])('of %s stay single', (_what, bytes, text) => {
    expect(textOfBytes(Buffer.from(bytes))).toBe(text)
  })
})

test('neighbours become the character that they make, and others stay', () => {
  expect(joinLoneBytes('\uDCE2\uDC82\uDCAC')).toBe('€')
  expect(joinLoneBytes('a\uDCE2 \uDC82\uDCAC')).toBe('a\uDCE2 \uDC82\uDCAC')
  expect(joinLoneBytes('\uDCFF\uDCC3\uDCA4\uDCFF')).toBe('\uDCFFä\uDCFF')
  expect(joinLoneBytes('😀')).toBe('😀')
})
