import { describe, expect, test } from 'vitest'
import { type DiffLine, formatLineDiff } from '../../../src/blocks/expected-output/format-diff.ts'

/** One character for the mark, the rest is the line; lines count from 1 on the expected side. */
function lines(all: readonly string[]): readonly DiffLine[] {
  let line = 0
  return all.map((each): DiffLine => {
    const [mark, text] = [each[0], each.slice(1)]
    if (mark === '+') return { mark, text }
    line += 1
    return { mark: mark === '-' ? '-' : ' ', text, line }
  })
}

describe('formatLineDiff', () => {
  test('shows what was replaced between the lines that are kept', () => {
    expect(formatLineDiff(lines([' 1', ' 2', ' 3', ' 4', '-a', ' b', '+x', ' c', ' 5', ' 6', ' 7']))).toBe(
      '  2\n  3\n  4\n- a\n  b\n+ x\n  c\n  5\n  6',
    )
  })

  test('says first what was expected', () => {
    expect(formatLineDiff(lines(['+x', '-a', '+y', '-b', ' c']))).toBe('- a\n- b\n+ x\n+ y\n  c')
  })

  test('heads each of several places by its line', () => {
    const between = Array.from({ length: 9 }, (_, at) => ` ${at}`)
    expect(formatLineDiff(lines(['-a', '+b', ...between, '+c']))).toBe(
      '@@ line 1 @@\n- a\n+ b\n  0\n  1\n  2\n@@ line 8 @@\n  6\n  7\n  8\n+ c',
    )
  })

  test('shows the place in two long lines', () => {
    const same = 'x'.repeat(5000)
    const [lost = '', extra = ''] = formatLineDiff(lines([`-${same}1${same}`, `+${same}2${same}`])).split('\n')
    expect(lost).toMatch(/^- …x{100}1x{299}… \(10001 characters\)$/)
    expect(extra).toMatch(/^\+ …x{100}2x{299}… /)
    expect(formatLineDiff(lines([`-${same}`, '+a', '+b']))).toBe(`- ${'x'.repeat(400)}… (5000 characters)\n+ a\n+ b`)
  })

  test('stays small with many and with long lines, and shows both sides', () => {
    const many = (mark: string): readonly string[] => Array.from({ length: 20_000 }, (_, at) => `${mark}line ${at}`)
    const diff = formatLineDiff(lines([...many('-'), ...many('+')]))
    expect(diff.split('\n').length).toBeLessThan(90)
    expect(diff).toMatch(/^\+ line 0$/m)
    const everyOther = Array.from({ length: 40_000 }, (_, at) => (at % 2 === 0 ? ` ${at}` : `-${at}`))
    expect(formatLineDiff(lines(everyOther)).split('\n').length).toBeLessThan(90)
    expect(formatLineDiff(lines([`-${'x'.repeat(1e6)}`, `+${'y'.repeat(1e6)}`])).length).toBeLessThan(1000)
  })
})
