import { expect, test } from 'vitest'
import { compareLines } from '../../../src/blocks/expected-output/compare-lines.ts'

/** What is kept, lost and extra, in a line. */
function difference(expected: readonly string[], lines: readonly string[]): string {
  const result = compareLines(expected, { lines, isUnfinished: false }, { captures: new Map() })
  if (result.status !== 'differs') return result.status
  const parts = result.edits.map((edit) => {
    if (edit.kind === 'kept') return `=${edit.lines.join()}`
    return edit.kind === 'extra' ? `+${edit.line}` : `-${edit.text}`
  })
  return parts.join(' ')
}

const dots = '...'

test.each<[string, string[], string[], string]>([
  ['before it: the last ones', [dots, 'total 3'], ['a', 'b', 'total 4'], '=a,b -total 3 +total 4'],
  ['behind it: the first ones', ['total 3', dots], ['total 4', 'a', 'b'], '-total 3 +total 4 =a,b'],
  ['on both sides: those most like it', [dots, 'total 3', dots], ['a', 'total 4', 'b'], '=a -total 3 +total 4 =b'],
  ['on both sides, behind it', [dots, 'total 3', dots], ['a', 'b', 'total 4', 'c'], '=a,b -total 3 +total 4 =c'],
  ['as many as were lost', [dots, 'x 1', 'y 1'], ['a', 'x 2', 'y 2'], '=a -x 1 -y 1 +x 2 +y 2'],
  ['all there are, where more were lost', [dots, 'x 1', 'y 1'], ['x 2'], '= -x 1 -y 1 +x 2'],
  ['none, where none is like it', [dots, 'total 3', dots], ['abc', 'xyz'], '=abc,xyz -total 3 ='],
  ['none that stands for itself', ['x', 'a'], ['x'], '=x -a'],
])('lines that `...` took in place of a lost one are given back: %s', (_title, expected, lines, edits) => {
  expect(difference(expected, lines)).toBe(edits)
})
