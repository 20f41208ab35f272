import { expect, test } from 'vitest'
import { headingLineAt, nearestStep, scenarioLineAt } from '../../src/plan/heading-line.ts'
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

const shared = '## Shared\n\n```sh\n:\n```\n\nMore.\n\nMore.\n'
const many = [
  ...['---', 'agent: none', 'include: [shared.md]', '---'], // 1 to 4
  ...['## Early', '', '```sh', ':', '```', ''], // 5 to 10
  ...['# A', '', '## B', '', '```sh', ':', '```', ''], // 11 to 18
  ...['# C', '', '```sh', ':', '```'], // 19 to 23
].join('\n')

test.each([
  [5, 5, 11],
  [9, 5, 11],
  [11, 11, 11],
  [14, 13, 11],
  [19, 19, 19],
  [22, 19, 19],
  [1, undefined, undefined],
])(
  'line %i is in the heading of line %s, and in the scenario of line %s, whatever is included',
  (line, heading, own) => {
    const parsed = parseSpec(many, { file: '/s.test.md', readIncluded: () => Buffer.from(shared) })
    expect(parsed.problems).toEqual([])
    expect(headingLineAt(parsed.spec, line)).toBe(heading)
    expect(scenarioLineAt(parsed.spec, line)).toBe(own)
  },
)

test.each(['# Only\n\nDo it.\n', '## One\n\nDo it.\n\n## Two\n\nDo it.\n'])(
  'no line stands for a scenario that is all of %j',
  (only) => {
    const one = parseSpec(only, { file: '/s.test.md' }).spec
    expect([1, 3, 5].map((line) => scenarioLineAt(one, line))).toEqual([undefined, undefined, undefined])
  },
)

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

const feature = [
  ...['Feature: F', '', 'Scenario: One', 'Then it is', '', 'Rule: R', 'Words.', ''], // 1 to 8
  ...['Scenario Outline: O', 'Then <a>', '', 'Examples:', '|a|', '|1|', '|2|', '', '@tag', 'Scenario: Two', 'Then so'], // 9 to 19
].join('\n')

test.each([
  [2, undefined, undefined],
  [4, 3, 3],
  [6, 6, 6],
  [7, 6, 6],
  [9, 9, 9],
  [12, 9, 9],
  [14, 14, 14],
  [15, 15, 15],
  [17, undefined, undefined],
  [19, 18, 18],
])('line %i of a feature is in what stands at line %s', (line, expected, ofScenario) => {
  const { spec: own } = parseSpec(feature, { file: '/a.feature' })
  expect(headingLineAt(own, line)).toBe(expected)
  expect(scenarioLineAt(own, line)).toBe(ofScenario)
})
