import { AstBuilder, compile, dialects, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import { IdGenerator, PickleStepType, type Pickle, type PickleStep } from '@cucumber/messages'
import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../../../src/spec/parse-spec.ts'
import { stepsOf, type ParsedSpec, type Scenario } from '../../../../src/spec/spec.ts'
import fc from '../../../support/fast-check.ts'
import { changeLines } from '../../../support/change-lines.ts'
import { gherkinDocuments } from './documents.ts'

const parse = (text: string): ParsedSpec => parseSpec(text, { file: '/suite/features/a.feature' })

interface OracleScenario extends Pick<Pickle, 'name' | 'tags'> {
  readonly line: number
  /** Of its own steps that Cucumber takes for outcomes; absent where a `*` leaves that open. */
  readonly outcomes: readonly PickleStep[] | undefined
  readonly isEmpty: boolean
}

/** `undefined` where Cucumber rejects the file. */
function oracle(text: string): readonly OracleScenario[] | undefined {
  const newId = IdGenerator.incrementing()
  try {
    const document = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text)
    const children = document.feature?.children ?? []
    const all = children.flatMap((child) => [child, ...(child.rule?.children ?? [])])
    const background = new Set(all.flatMap((child) => child.background?.steps ?? []).map(({ id }) => id))
    return compile(document, '', newId).map(({ location, name, tags, steps }) => {
      const own = steps.filter(({ astNodeIds: [id = ''] }) => !background.has(id))
      const isOpen = steps.some(({ type }) => type === PickleStepType.UNKNOWN) || steps.length > own.length
      const outcomes = own.filter(({ type }) => type === PickleStepType.OUTCOME)
      return {
        line: location?.line ?? 0,
        name,
        tags,
        outcomes: isOpen ? undefined : outcomes,
        isEmpty: own.length === 0,
      }
    })
  } catch {
    return undefined
  }
}

function compare(text: string): void {
  const { spec, problems } = parse(text)
  const expected = oracle(text)
  expect(problems.some(({ ruleId }) => ruleId === 'gherkin-syntax')).toBe(expected === undefined)
  expect(problems.length > 0 || spec.scenarios.length > 0).toBe(true)
  expect(spec.scenarios.map(({ line }) => line)).toEqual((expected ?? []).map(({ line }) => line))
  for (const [index, { name, tags, outcomes, isEmpty }] of (expected ?? []).entries()) {
    const scenario = spec.scenarios[index] as Scenario // There are as many.
    const [step, ...others] = stepsOf(scenario)
    const title = name.replace(/\s+/g, ' ').trim()
    expect(others).toEqual([])
    expect(step?.actor).toBe(isEmpty ? 'todo' : 'agent')
    // Numbered where there are several, and a row may have the title of its outline above it.
    expect([step?.title, ...(scenario.groups ?? []).map((group) => group.title)].join('\n')).toContain(title)
    expect(step?.directives.tags ?? []).toEqual([
      ...new Set(tags.map((tag) => tag.name.slice(1).replace(/[!*&|(),]/g, '-'))),
    ])
    if (outcomes !== undefined) expect(step?.checks).toEqual(outcomes.map(() => expect.anything()))
    for (const [place, { text: outcome, argument }] of (outcomes ?? []).entries()) {
      const check = step?.checks[place]?.text ?? ''
      if (argument === undefined) expect(check).toBe(outcome || 'It is so')
      else expect(check.startsWith(`${outcome.replace(/:$/, '')}: `)).toBe(true)
    }
    for (const group of scenario.groups ?? []) {
      expect(group.line).toBeLessThan(scenario.line)
      expect(group.endLine).toBeGreaterThanOrEqual(scenario.endLine)
    }
  }
}

describe('Cucumber has the same scenarios', () => {
  test.each(Object.entries(gherkinDocuments))('%s', (_name, text) => {
    compare(text)
  })

  test('of changed documents', () => {
    const texts = Object.values(gherkinDocuments)
    const pieces = texts.join('\n').split('\n')
    const edit = fc.record({
      at: fc.nat(1000),
      kind: fc.constantFrom('drop', 'double', 'insert', 'replace', 'indent', 'outdent', 'swap'),
      piece: fc.constantFrom(...pieces),
    })
    const edits = fc.array(edit, { minLength: 1, maxLength: 6 })
    const property = fc.property(fc.constantFrom(...texts), edits, (text, changes) =>
      compare(changeLines(text, changes)),
    )
    fc.assert(property)
  })
})

test.each([
  ['rows', 'Feature: f\nScenario Outline: o\nThen <a>', 'Examples:\n|a|\n', '|1|\n'],
  ['scenarios', 'Feature: f\nBackground:\nGiven a', '', 'Scenario:\nThen it is\n'],
])('too many %s for their steps are a problem, before they take all memory', (_what, head, rest, each) => {
  const { spec, problems } = parse(`${head}${' long'.repeat(100_000)}\n${rest}${each.repeat(10_000)}`)
  expect(problems.map(({ ruleId }) => ruleId)).toEqual(['spec-too-large'])
  expect(spec.scenarios).toEqual([])
})

test('a step of each language is what it is called', () => {
  const wrong = Object.entries(dialects).flatMap(([language, { feature, scenario, given, then, and }]) => {
    const [word] = given.filter((each) => each !== '* ')
    const [outcome] = then.filter((each) => each !== '* ')
    const [more] = and.filter((each) => each !== '* ')
    const text = `# language: ${language}\n${feature[0]}: f\n${scenario[0]}: s\n${word}a\n${outcome}b\n${more}c\n`
    const { spec, problems } = parse(text)
    const checks = spec.scenarios.flatMap(stepsOf).flatMap((step) => step.checks.map((check) => check.text))
    return problems.length === 0 && checks.join() === 'b,c' ? [] : [{ language, problems, checks }]
  })
  expect(Object.keys(dialects).length).toBeGreaterThan(70)
  expect(wrong).toEqual([])
})
