import { describe, expect, test } from 'vitest'
import fc from '../support/fast-check.ts'

import { decodeSpec } from '../../src/spec/read-source.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'

const file = '/suite/spec.test.md'
// In one piece it would be an instruction for the Vitest that runs this file.
const at = '@'

describe('decodeSpec', () => {
  test.for<readonly [name: string, before: string, bad: readonly number[], line: number, column: number]>([
    ['the first byte', '', [0xff], 1, 1],
    ['a byte after a byte order mark', '\uFEFFab', [0x80], 1, 3],
    ['a byte after a real U+FFFD', '# \uFFFD', [0xe9], 1, 4],
    ['a character that is cut short', 'a\nb', [0xef, 0xbf], 2, 2],
    ['a lone surrogate', 'a\r\nb\rc', [0xed, 0xa0, 0x80], 3, 2],
    ['a byte behind what takes two code units', '😀', [0xc0], 1, 3],
  ])('finds %s', ([, before, bad, line, column]) => {
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from('x \uFFFD y\n')])
    expect(decodeSpec(bytes).invalidAt).toEqual({ line, column })
    expect(parseSpec(bytes, { file }).problems).toMatchObject([{ line, column, ruleId: 'invalid-utf8' }])
  })

  test('finds a bad byte behind any text, and none without one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (before, after) => {
        expect(decodeSpec(Buffer.from(before + after))).toEqual({ text: Buffer.from(before + after).toString() })
        const text = before.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
        const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)])
        expect(decodeSpec(bytes).invalidAt).toEqual({ line: text.length, column: (text.at(-1)?.length ?? 0) + 1 })
      }),
    )
  })
})

describe('what Vitest reads in the text of a test file', () => {
  test.for([
    [`// ${at}vitest-environment jsdom`, 4],
    [`Use ${at}jest-environment\nnode here`, 5],
    [`/** ${at}vitest-environment-options {} */`, 5],
  ] as const)('is a problem: %s', ([line, column]) => {
    expect(parseSpec(`# A\n\n${line}\n`, { file }).problems).toMatchObject([
      { line: 3, column, ruleId: 'vitest-comment' },
    ])
  })

  test.for([
    `\`${at}vitest-environment\` jsdom`,
    'vitest-environment x',
    `${at}vitest-environments x`,
    `${at}vitest-environment \`jsdom\``,
  ])('is none where Vitest passes over it: %s', (line) => {
    expect(parseSpec(`# A\n\n${line}\n`, { file }).problems).toEqual([])
  })
})
