import { describe, expect, test } from 'vitest'

import { formatProblems } from '../../src/spec/problems.ts'

const problem = { file: '/suite/a/x.test.md', line: 2, column: 3, ruleId: 'unknown-attribute', message: 'No `x`.' }

describe('formatProblems', () => {
  test('shows the place, the rule, the message and the line', () => {
    expect(formatProblems([problem, problem], { text: 'one\r\n  two', root: '/suite' })).toBe(
      'a/x.test.md:2:3  unknown-attribute  No `x`.\n  2 |   two\na/x.test.md:2:3  unknown-attribute  No `x`.\n  2 |   two',
    )
  })

  test('shows the absolute path without a root, and no line where it is blank', () => {
    expect(formatProblems([problem], { text: 'one\n\n' })).toBe('/suite/a/x.test.md:2:3  unknown-attribute  No `x`.')
  })

  test('takes control characters out of what the spec says', () => {
    const text = formatProblems([{ ...problem, message: 'a\u001B[2Jb' }], { text: 'x\ny\u202E\u001B[31m' })
    expect(text).toBe('/suite/a/x.test.md:2:3  unknown-attribute  a\uFFFD[2Jb\n  2 | y\uFFFD\uFFFD[31m')
  })
})
