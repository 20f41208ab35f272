import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dialectNames } from '../../../src/spec/dialects/dialect-places.ts'
import { dialects } from '../../../src/spec/dialects/registry.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { specRules } from '../../../src/spec/rules/spec-rules.ts'
import { textEndings } from '../../../src/system/spec-endings.ts'
import { stepsOf, type ParsedSpec } from '../../../src/spec/spec.ts'

const repository = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8')
const parse = (text: string, agent = 'auto', ending = 'test.md'): ParsedSpec =>
  parseSpec(text, {
    file: `/suite/a.${ending}`,
    readIncluded: () => '# A\n\nDo it.\n',
    agentDefault: agent,
    drivesBrowser: (name) => name === 'browser',
  })

test('names are used once', () => {
  expect(new Set(dialectNames).size).toBe(dialects.length + 1)
})

test('each ending of specs that are no markdown has its dialect', () => {
  expect(dialects.flatMap(({ ending }) => ending ?? []).toSorted()).toEqual(textEndings.toSorted())
})

test('what knows a dialect by its name is in its folder', () => {
  const files = readdirSync(new URL('src/', repository), { recursive: true, encoding: 'utf8' })
  const quoted = new RegExp(`['"](?:${dialects.map(({ name }) => name).join('|')})['"]`)
  const told = files
    .filter((file) => file.endsWith('.ts') && !file.startsWith('spec/dialects/'))
    .filter((file) => quoted.test(read(`src/${file}`)))
  expect(told).toEqual([])
})

describe.each(dialects)('the registered dialect $name', ({ name, recognise, ending }) => {
  const fixture = (kind: string): string => read(`fixtures/specs/${name}-${kind}/spec.${ending ?? 'md'}`)

  test('makes steps of a document, each at its place', () => {
    const text = fixture('document')
    const { spec, problems } = parse(text, 'auto', ending)
    expect(problems).toEqual([])
    expect(spec.frontMatter.dialect).toBe(name)
    const lines = text.split('\n')
    const steps = spec.scenarios.flatMap(stepsOf).filter(({ file }) => file === undefined)
    expect(steps.length).toBeGreaterThan(0)
    const begins = ending === undefined ? /^(?:#|`{3,}|~{3,}|[-*+] |\d+[.)] )/ : /^\S/
    for (const { line, column } of steps) expect(lines[line - 1]?.slice(column - 1)).toMatch(begins)
  })

  test('reports what is wrong with a document, each at its place', () => {
    const text = fixture('faults')
    const { problems } = parse(text, 'auto', ending)
    expect(problems.length).toBeGreaterThan(0)
    const lines = text.split('\n')
    for (const { ruleId, line, column, message } of problems) {
      expect(Object.keys(specRules)).toContain(ruleId)
      expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
      expect(message).toMatch(/\w.*[.?]$/)
    }
  })

  test('takes hostile documents without a throw', () => {
    for (const body of [
      '',
      '```',
      '```\n$ ',
      `\`\`\`${name} {`,
      `\`\`\`${name} {{{\n% {\n$ \n[999]\n\`\`\``,
      '\0',
      '#\n>\n-',
      'Feature:\n|\n',
      'Feature: a\n\nScenario Outline: b\n* <c>\nExamples:\n|c|\n|\\|\n"""',
      '## Application Overview\n\n### 1.\n\n**Seed:** ``\n\n#### 1.1\n\n**Steps:**\n1.\n\n**Expected Results:**\n-',
      '### User Story 1\n\n**Acceptance Scenarios**:\n2. **Then**\n\n1.\n- **Then**\n  <!--\n- **Given',
    ]) {
      expect(() => parse(`---\ndialect: ${name}\n---\n\n${body}`)).not.toThrow()
      if (ending !== undefined) expect(() => parse(body, 'auto', ending)).not.toThrow()
    }
  })

  test.skipIf(recognise === undefined)(
    `is recognised by its form for an agent that drives a browser${recognise ? '' : ' (skipped: it has to be named)'}`,
    () => {
      const text = fixture('document')
      const dialectOf = (body: string, agent: string): string => parse(body, agent).spec.frontMatter.dialect
      const unnamed = text.replace(/^(?:dialect|agent):.*\n/gm, '')
      expect(dialectOf(unnamed, 'browser')).toBe(name)
      expect(dialectOf(unnamed, 'claude')).toBe('mdtest')
      expect(dialectOf(`---\ndialect: mdtest\n${unnamed.slice(4)}`, 'browser')).toBe('mdtest')
    },
  )

  test('is in the schema of the front matter and in its docs', () => {
    const { properties } = JSON.parse(read('schemas/front-matter.json'))
    expect(properties.dialect.enum).toContain(name)
    expect(read('docs/front-matter.md')).toContain(`\`${name}\``)
  })
})
