import { describe, expect, test } from 'vitest'
import { globSource, parseRegex, regexFlags } from '../../../src/blocks/expected-output/regex-source.ts'

describe('a glob', () => {
  test.each([
    ['took * ms', 'took 12 ms', true],
    ['took * ms', 'took  ms', true],
    ['took * ms', 'took 12 ms.', false],
    ['*', '', true],
    ['**', 'a', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'a1b2', false],
    ['*a*a*', 'xaya', true],
    ['file?.txt', 'file1.txt', true],
    ['file?.txt', 'file.txt', false],
    ['?', '😀', true],
    [String.raw`\*`, '*', true],
    [String.raw`\*`, 'x', false],
    [String.raw`\?\\`, '?\\', true],
    [String.raw`\d`, '\\d', true],
    ['(a|b)', '(a|b)', true],
    ['(a|b)', 'a', false],
    ['[a]{2}', 'aa', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j takes %j: %s', (glob, line, isTaken) => {
    expect(new RegExp(`^${globSource(glob)}$`, regexFlags).test(line)).toBe(isTaken)
  })

  test('of many stars is fast on a long line that does not fit', () => {
    const regex = new RegExp(`^${globSource(`${'*a'.repeat(30)}*b`)}$`, regexFlags)
    expect(regex.test('a'.repeat(2_000))).toBe(false)
  })
})

describe('a regular expression', () => {
  test.each([
    ['a|b', 'b', true],
    ['a|b', 'ab', false],
    [String.raw`\d+\-\d`, '12-3', true],
    [String.raw`\"x\" \<y\>`, '"x" <y>', true],
    ['.', '😀', true],
  ])('%s takes %j: %s', (text, line, isTaken) => {
    const parsed = parseRegex(text)
    if (!parsed.ok) throw new TypeError(parsed.message)
    expect(new RegExp(`^${parsed.source}$`, regexFlags).test(line)).toBe(isTaken)
  })

  test.each([
    ['(', '`(` is no regular expression: Unterminated group. Correct it.'],
    ['a{', 'A brace that is part of the output is written `\\{` or `\\}`.'],
  ])('%s is refused', (text, message) => {
    const parsed = parseRegex(text)
    expect(parsed.ok ? '' : parsed.message).toContain(message)
  })
})
