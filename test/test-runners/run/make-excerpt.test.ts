import { describe, expect, test } from 'vitest'
import { makeExcerpt, makeShortExcerpt } from '../../../src/test-runners/run/make-excerpt.ts'
import fc, { anyCharacter } from '../../support/fast-check.ts'

const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`)
const excerptOf = (...parts: (string | string[])[]): ReturnType<typeof makeExcerpt> =>
  makeExcerpt(parts.flat().join('\n'), { maxBytes: 20_000 })

describe('makeExcerpt', () => {
  test('shows what looks like a failure with what is around it, and the last lines', () => {
    const { blocks, tail, excerpt: text } = excerptOf(lines(1, 20), 'TypeError: x is not a function', lines(22, 60))
    expect(blocks).toEqual([['line 20', 'TypeError: x is not a function', ...lines(22, 29)].join('\n')])
    expect(tail).toBe(lines(49, 60).join('\n'))
    expect(text).toBe(['[… 19 lines]', blocks[0], '[… 19 lines]', tail].join('\n'))
  })

  test.for([
    ...[' FAIL  a.test.ts > adds', '--- FAIL: TestAdds (0.00s)', 'FAILED tests/test_a.py::test_adds'],
    ...['AssertionError: expected 1 to be 2', 'java.lang.IllegalStateException: no', 'panic: runtime error'],
    ...["thread 'adds' panicked at src/lib.rs:3:5", 'Traceback (most recent call last):'],
    ...['error[E0425]: cannot find value', 'src/a.ts(1,2): error TS2304: Cannot find', 'E       assert 1 == 2'],
    ...['not ok 1 - adds', '   × adds 3ms', '    Expected: 2', 'FATAL out of memory'],
  ])('finds %j', (line) => {
    expect(excerptOf(lines(1, 30), line, lines(1, 30)).blocks).toHaveLength(1)
  })

  test.for([
    '   ✓ throws a TypeError 1ms',
    'ok 3 - AssertionError is thrown',
    'test fatal ... ok',
    '12 passed, 0 failed',
  ])('leaves out %j', (line) => expect(excerptOf(lines(1, 30), line, lines(1, 30)).blocks).toEqual([]))

  test('merges blocks that touch, and keeps the last ten of many', () => {
    expect(excerptOf('Error: a', 'Error: b', lines(1, 30)).blocks).toHaveLength(1)
    const many = Array.from({ length: 30 }, (_, index) => [`Error: ${index}`, ...lines(1, 20)])
    expect(excerptOf(many.flat()).blocks.map((block) => /Error: \d+/.exec(block)?.[0])).toEqual(
      Array.from({ length: 10 }, (_, index) => `Error: ${20 + index}`),
    )
  })

  test('has no colors, control characters and frames of Node.js', () => {
    const frames = ['    at a (/x/a.js:1:2)', '    at b (node:internal/x:1:2)', '    at c (/x/node_modules/y/z.js:1:2)']
    expect(excerptOf('\x1b[31mError: a\x1b[39m\x01', frames).excerpt).toBe('Error: a\\x01\n    at a (/x/a.js:1:2)')
  })

  test('is never longer than its limit, whatever is printed', () => {
    const line = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.constantFrom('Error: é', 'FAIL', '€'.repeat(500)),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), fc.integer({ min: 1, max: 2000 }), (parts, maxBytes) => {
        const { excerpt: text } = makeExcerpt(parts.join('\n'), { maxBytes })
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
        expect(text).not.toContain('\ufffd'.repeat(parts.join('').includes('\ufffd') ? 100 : 1))
      }),
    )
  })
})

test('makeShortExcerpt has the last lines that look like failures, alone', () => {
  const blocks = ['a\nFAIL first\nb', 'FAIL second\nAssertionError: third\n ✓ no Error']
  expect(makeShortExcerpt(blocks, { maxBytes: 1000 })).toBe('FAIL first\nFAIL second\nAssertionError: third')
  expect(makeShortExcerpt(blocks, { maxBytes: 34 })).toBe('FAIL second\nAssertionError: third')
  expect(makeShortExcerpt(blocks, { maxBytes: 5 })).toBe('')
})
