import { describe, expect, test } from 'vitest'
import { parseWords } from '../../../src/spec/front-matter/value-forms.ts'
import fc from '../../support/fast-check.ts'

const start = { line: 2, column: 5 }

describe('words', () => {
  test.each<[string, readonly (readonly [name: string, value: string | undefined, place: string])[]]>([
    ['', []],
    [' \t\n ', []],
    ['run', [['run', undefined, '2:5']]],
    [
      'a  b=1\n c',
      [
        ['a', undefined, '2:5'],
        ['b', '1', '2:8'],
        ['c', undefined, '3:2'],
      ],
    ],
    [
      'a="b c" d',
      [
        ['a', 'b c', '2:5'],
        ['d', undefined, '2:13'],
      ],
    ],
    ['a=""', [['a', '', '2:5']]],
    ['a=', [['a', '', '2:5']]],
    ['=b', [['', 'b', '2:5']]],
    ['a=b=c', [['a', 'b=c', '2:5']]],
    ['a="x\\"y\\\\z\\n"', [['a', 'x"y\\z\\n', '2:5']]],
    ['größe=ü', [['größe', 'ü', '2:5']]],
  ])('of %j have names, values and places', (text, expected) => {
    const words = parseWords(text, start)
    expect(words.map(({ name, value, line, column }) => [name, value, `${line}:${column}`])).toEqual(expected)
    expect(words.some(({ isBroken }) => isBroken)).toBe(false)
  })

  test.each(['a="b', 'a="b c', 'a="b"c', 'a="b\\"'])('a quote that does not end a word breaks it: %j', (text) => {
    expect(parseWords(text, start)[0]).toMatchObject({ name: 'a', isBroken: true })
  })

  test('stand in the text where they say', () => {
    const part = fc.constantFrom('a', '=', '"', '\\', ' ', '\n', '\t', 'ü', '漢')
    fc.assert(
      fc.property(fc.string({ unit: part, maxLength: 12 }), (text) => {
        const lines = text.split('\n')
        for (const { raw, line, column } of parseWords(text, { line: 1, column: 1 })) {
          expect([...lines.slice(line - 1)].join('\n').slice(column - 1)).toSatisfy((rest: string) =>
            rest.startsWith(raw),
          )
        }
      }),
    )
  })
})
