import { describe, expect, test } from 'vitest'
import { quoteTitle } from '../../src/plan/module-lines.ts'
import fc from '../support/fast-check.ts'

describe('a title as a literal', () => {
  test.each([
    ['plain', '"plain"'],
    ['say "hi"', `'say "hi"'`],
    [`it's "so"`, '`it\'s "so"`'],
    [`it's "\${so}"`, '"it\'s \\"${so}\\""'],
    ['a\\b', '"a\\\\b"'],
    ['a\tb\u2028c', '"a\\u0009b\\u2028c"'],
  ])('%j is %s', (title, expected) => expect(quoteTitle(title)).toBe(expected))

  test('is read as it was written, whatever is in it', () => {
    const unit = fc.constantFrom(
      ...['a', '"', "'", '`', '\\', '${', '}', '\n', '\r', '\u2029', '\0', 'ü', '漢', '*/', '</script>'],
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (title) => {
        const literal = quoteTitle(title)
        expect(literal).not.toMatch(/[\n\r\u2028\u2029]/)
        // eslint-disable-next-line no-new-func -- what the module does
        expect(new Function(`return ${literal}`)()).toBe(title)
      }),
    )
  })
})
