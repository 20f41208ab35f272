import { expect, test } from 'vitest'
import { headingLineAt, nearestStep } from '../../src/plan/heading-line.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'

const text = [
  ...['---', 'agent: none', '---', '', '# S', '', 'Text.', ''], // 1 to 8
  ...['## G', '', '### A', '', '```sh', ':', '```', ''], // 9 to 16
  ...['### B', '', '```sh', ':', '```', '', '## C', '', '```sh', ':', '```', ''], // 17 to 28
]
const { spec, problems } = parseSpec(text.join('\n'), { file: '/s.test.md' })

test.each([
  [1, undefined],
  [5, 5],
  [8, 5],
  [9, 9],
  [10, 9],
  [11, 11],
  [15, 11],
  [16, 9],
  [17, 17],
  [23, 23],
  [27, 23],
  [0, undefined],
  [-3, undefined],
  [1000, undefined],
])('line %i is in the heading of line %s', (line, expected) => {
  expect(problems).toEqual([])
  expect(headingLineAt(spec, line)).toBe(expected)
})

test.each([
  [1, 'A'],
  [14, 'A'],
  [15, 'B'],
  [1000, 'C'],
])('nearest to line %i is step %s', (line, expected) => {
  expect(nearestStep(spec, line)?.title).toBe(expected)
})

test('there is no nearest step where there is none', () => {
  expect(nearestStep({ scenarios: [] }, 1)).toBeUndefined()
})
