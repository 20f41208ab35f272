import { describe, expect, test } from 'vitest'
import { findForeignLine, rewriteSource } from '../../../src/blocks/expected-output/rewrite-markdown.ts'

describe('rewriteSource', () => {
  test('replaces, removes and adds lines and leaves all other bytes alone', () => {
    const source = 'a  \n\n```output\none\ntwo  \nthree\n```\n\ttail'
    const rewrite = { fenceLine: 3, line: 4, before: ['one', 'two  ', 'three'], after: ['zero', 1, 'four'] }
    expect(rewriteSource(source, [rewrite])).toBe('a  \n\n```output\nzero\ntwo  \nfour\n```\n\ttail')
  })

  test('takes several places in any order', () => {
    const source = '```console\n$ a\nx\n$ b\n$ c\nz\n```\n'
    const rewrites = [
      { fenceLine: 1, line: 6, before: ['z'], after: [] },
      { fenceLine: 1, line: 3, before: ['x'], after: ['1', '2'] },
      { fenceLine: 1, line: 5, before: [], after: ['y'] },
    ]
    expect(rewriteSource(source, rewrites)).toBe('```console\n$ a\n1\n2\n$ b\ny\n$ c\n```\n')
  })

  test('ends new lines as the line of the fence, and keeps a byte order mark', () => {
    const rewrite = { fenceLine: 1, line: 2, before: ['a', 'b'], after: [0, 'c'] }
    expect(rewriteSource('\uFEFF```output\r\na\nb\n```\r\n', [rewrite])).toBe('\uFEFF```output\r\na\nc\r\n```\r\n')
    expect(rewriteSource('```output\ra\rb\r```\r', [rewrite])).toBe('```output\ra\rc\r```\r')
  })

  test('indents new lines like their fence, but no empty one', () => {
    const rewrite = { fenceLine: 1, line: 2, before: ['a'], after: ['  b', ''] }
    expect(rewriteSource('1. - ```output\n     a\n     ```\n', [rewrite])).toBe(
      '1. - ```output\n       b\n\n     ```\n',
    )
    expect(rewriteSource('-\t~~~output\n\ta\n\t~~~\n', [rewrite])).toBe('-\t~~~output\n \t  b\n\n\t~~~\n')
  })

  test('fills an empty fence, also one that holds a blank line', () => {
    const rewrite = { fenceLine: 1, line: 2, before: [], after: ['a'] }
    expect(rewriteSource('```output\n```\n', [rewrite])).toBe('```output\na\n```\n')
    expect(rewriteSource('```output\n \n```\n', [rewrite])).toBe('```output\na\n```\n')
  })

  test('takes more lines than a call takes arguments', () => {
    const after = Array.from({ length: 300_000 }, () => 'x')
    const rewritten = rewriteSource('```output\n```\n', [{ fenceLine: 1, line: 2, before: [], after }])
    expect(rewritten.length).toBe('```output\n```\n'.length + 2 * after.length)
  })
})

describe('findForeignLine', () => {
  const source = '- ```output\n  <name> a\n  b\n  ```\n'

  test('names a line that is to be replaced and reads differently in the file', () => {
    const rewrite = { fenceLine: 1, line: 2, before: ['Ada a', 'b'], after: ['c', 'd'] }
    expect(findForeignLine(source, rewrite)).toBe(2)
    expect(findForeignLine(source, { ...rewrite, after: [0, 'd'] })).toBeUndefined()
  })
})
