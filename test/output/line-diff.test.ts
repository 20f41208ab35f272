import fc from '../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { firstDifference, formatLineDiff } from '../../src/output/line-diff.ts'

describe('firstDifference', () => {
  test('is undefined exactly when both sides are equal', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 5 })
    fc.assert(
      fc.property(lines, lines, (expected, actual) => {
        const index = firstDifference(expected, actual)
        expect(index === undefined).toBe(JSON.stringify(expected) === JSON.stringify(actual))
        if (index !== undefined) expect(expected.slice(0, index)).toEqual(actual.slice(0, index))
      }),
    )
  })
})

describe('formatLineDiff', () => {
  test('shows what was replaced between the lines that are kept', () => {
    expect(formatLineDiff(['1', '2', '3', '4', 'a', 'b', 'c', '5'], ['1', '2', '3', '4', 'b', 'x', 'c', '5'])).toBe(
      '  2\n  3\n  4\n- a\n  b\n+ x\n  c\n  5',
    )
  })

  test('holds both sides', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (expected, actual) => {
        const shown = formatLineDiff(['<', ...expected, '>'], ['<', ...actual, '>']).split('\n')
        const side = (mark: string): string =>
          shown
            .filter((line) => line.startsWith(mark) || line.startsWith(' '))
            .map((line) => line.slice(2))
            .join('')
        expect(`<${expected.join('')}>`).toContain(side('-'))
        expect(`<${actual.join('')}>`).toContain(side('+'))
      }),
    )
  })

  test('stays small and quick with many and with long lines', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `line ${index}`)
    const diff = formatLineDiff(many, [...many].reverse())
    expect(diff.split('\n').length).toBeLessThan(90)
    expect(diff).toMatch(/^\+ line 99999$/m)
    expect(formatLineDiff(['x'.repeat(1e6)], ['y'.repeat(1e6)]).length).toBeLessThan(1000)
  })
})
