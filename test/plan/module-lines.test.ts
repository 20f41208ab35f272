import { describe, expect, test } from 'vitest'
import { addCode, emptyLinesOf, moduleOf, quoteTitle } from '../../src/plan/module-lines.ts'
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

describe('lines of a module', () => {
  test('stand where those of the spec are', () => {
    const lines = emptyLinesOf('a\nb\n')
    addCode(lines, 2, 'one')
    addCode(lines, 2, 'two')
    expect(lines).toEqual(['', 'one two', ''])
  })

  test('behind the end of the spec there is no line: the last one takes it', () => {
    const lines = emptyLinesOf('a')
    addCode(lines, 7, 'x')
    expect(lines).toEqual(['x'])
  })

  test('lead to the markdown, one of them to a column', () => {
    const { code, map } = moduleOf(['', 'x'], { file: '/a.test.md', text: 'a\nb' }, { line: 2, column: 3 })
    expect(code).toBe('\nx')
    expect(map).toMatchObject({ sources: ['/a.test.md'], sourcesContent: ['a\nb'], mappings: 'AAAA;AACE' })
  })
})
