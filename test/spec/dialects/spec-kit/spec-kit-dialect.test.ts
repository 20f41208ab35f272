import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../../../src/spec/parse-spec.ts'
import { stepsOf, type ParsedSpec } from '../../../../src/spec/spec.ts'
import { specKitDocuments } from './documents.ts'

const parse = (text: string, agent = 'claude'): ParsedSpec =>
  parseSpec(text, { file: '/suite/specs/001-a/spec.md', agentDefault: agent, dialectOf: () => 'spec-kit' })

const scenariosOf = ({ spec }: ParsedSpec): unknown =>
  Object.fromEntries(
    spec.scenarios.flatMap((scenario) =>
      stepsOf(scenario).map(({ line, checks }) => [line, [scenario.title, ...checks.map(({ text }) => text)]]),
    ),
  )

const problemsOf = ({ problems }: ParsedSpec): unknown =>
  Object.fromEntries(problems.map(({ line, ruleId }) => [line, ruleId]))

describe('what is a scenario, at its line, and what it is judged by', () => {
  test.each(Object.entries(specKitDocuments))('%s', (_name, { text, scenarios, problems = {} }) => {
    const parsed = parse(text)
    expect(problemsOf(parsed)).toEqual(problems)
    expect(scenariosOf(parsed)).toEqual(scenarios)
  })

  test.each(Object.entries(specKitDocuments))(
    'the same with other line ends and a byte order mark: %s',
    (_name, { text }) => {
      const parsed = parse(text)
      const other = parse(`\uFEFF${text.replaceAll('\n', '\r\n')}`)
      expect(other).toEqual(parsed)
    },
  )

  test('nobody acts where no agent does', () => {
    expect(parse(specKitDocuments.usual?.text ?? '', 'none')).toMatchObject({
      spec: { scenarios: [] },
      problems: [{ ruleId: 'nothing-to-execute' }],
    })
  })
})

describe('stories', () => {
  const { spec } = parse(specKitDocuments.usual?.text ?? '')

  test('hold their scenarios, without the priority in their name', () => {
    expect(spec.scenarios.map(({ groups = [] }) => groups.map(({ title, line }) => [line, title]))).toEqual([
      [[15, 'User Story 1 - Fill the cart']],
      [[15, 'User Story 1 - Fill the cart']],
      [[30, 'User Story 2 - Pay']],
    ])
  })

  test('give their priority as a tag', () => {
    const tags = spec.scenarios.flatMap(stepsOf).map(({ directives }) => directives.tags)
    expect(tags).toEqual([['p1'], ['p1'], ['p2']])
    const plain = parse(specKitDocuments['plain words']?.text ?? '').spec
    expect(plain.scenarios.flatMap(stepsOf).map(({ directives }) => directives.tags)).toEqual(
      plain.scenarios.map(() => undefined),
    )
  })

  test('tell of their scenarios, and so does all else but other stories and scenarios', () => {
    expect(spec.scenarios.map(({ preambles = [] }) => preambles.map(({ line, endLine }) => [line, endLine]))).toEqual([
      [
        [1, 23],
        [36, 45],
      ],
      [
        [1, 23],
        [36, 45],
      ],
      [
        [1, 13],
        [30, 32],
        [36, 45],
      ],
    ])
  })
})
