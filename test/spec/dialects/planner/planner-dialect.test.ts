import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../../../src/spec/parse-spec.ts'
import { stepsOf, type ParsedSpec, type Scenario } from '../../../../src/spec/spec.ts'
import { changeLines } from '../../../support/change-lines.ts'
import fc from '../../../support/fast-check.ts'

const parse = (text: string, files: Readonly<Record<string, string>> = {}): ParsedSpec =>
  parseSpec(text, {
    file: '/suite/specs/a.md',
    agentDefault: 'browser',
    drivesBrowser: (agent) => agent === 'browser',
    readIncluded: (file) => files[file] ?? { problem: 'there is no such file.' },
  })

/** Titles of scenarios with the texts of their checks. */
const outlineOf = ({ spec }: ParsedSpec): readonly unknown[] =>
  spec.scenarios.map((scenario) => [
    scenario.title,
    stepsOf(scenario)
      .at(-1)
      ?.checks.map(({ text }) => text),
  ])

describe('ordinary specs are no plans', () => {
  test.each([
    ['prose and checks', '# Shop\n\n## Test Scenarios\n\n### 1. Cart\n\n1. Open it\n\n- [ ] it is empty\n'],
    ['steps in words', '# Shop\n\n## Add a mug\n\nSteps: open the shop, then add a mug.\n\n- [ ] the badge shows 1\n'],
    ['an overview without steps', '# Shop\n\n## Application Overview\n\nA shop.\n\n## Cart\n\n- [ ] it is empty\n'],
    ['steps and results, nothing else of a plan', '# A\n\n**Steps:**\n1. Go\n\n**Expected Results:**\n- It went\n'],
    ['steps without results', '# A\n\n## Application Overview\n\nA shop.\n\n## B\n\n**Steps:**\n1. Go\n'],
    [
      'features that speak of steps',
      '# A\n\n## Application Overview\n\n- **Steps:** 3\n\n## B\n\n- **Expected:** much\n\nDo it.\n',
    ],
  ])('%s', (_what, text) => {
    expect(parse(text).spec.frontMatter.dialect).toBe('mdtest')
  })

  test('nor are those of the shop', () => {
    const folder = new URL('../../../../fixtures/shop/specs/', import.meta.url)
    const dialects = readdirSync(folder).map(
      (name) => parse(readFileSync(new URL(name, folder), 'utf8')).spec.frontMatter.dialect,
    )
    expect(new Set(dialects)).toEqual(new Set(['mdtest']))
  })
})

describe('a seed', () => {
  const plan = (seed: string): string =>
    `# P\n\n### 1. G\n\n**Seed:** ${seed}\n\n#### 1.1 S\n\n**Steps:**\n1. Go\n\n**Expected Results:**\n- It went\n`
  const preamblesOf = (text: string, files: Readonly<Record<string, string>>): Scenario['preambles'] =>
    parse(text, files).spec.scenarios[0]?.preambles

  test('of another runner is told, from the folder of the plan or one above it', () => {
    const told = preamblesOf(plan('`tests/seed.spec.ts`'), { '/suite/tests/seed.spec.ts': 'a\nb' })
    expect(told).toContainEqual({ file: '/suite/tests/seed.spec.ts', line: 1, endLine: 2 })
    const near = { '/suite/tests/seed.spec.ts': '', '/suite/specs/tests/seed.spec.ts': '' }
    expect(preamblesOf(plan('tests/seed.spec.ts'), near)).toContainEqual(
      expect.objectContaining({ file: '/suite/specs/tests/seed.spec.ts' }),
    )
  })

  test.each(['`tests/seed.spec.ts`', '/suite/tests/seed.spec.ts', '../.env', '``', 'none'])(
    '%s is no more than a name',
    (seed) => {
      const { spec, problems } = parse(plan(seed), { '/suite/.env': 'KEY=1', '/suite/specs/.env': 'KEY=1' })
      expect(problems).toEqual([])
      expect(spec.scenarios).toHaveLength(1)
      expect(spec.scenarios[0]?.preambles?.filter(({ file }) => file !== undefined)).toEqual([])
    },
  )

  test('of ours is carried out before each scenario', () => {
    const seed = '---\nbase-url: http://localhost\n---\n\n# Seed\n\n## Log in\n\nLog in as Ann.\n'
    const { spec, problems } = parse(plan('`tests/seed.test.md`'), { '/suite/tests/seed.test.md': seed })
    expect(problems).toEqual([])
    expect(spec.includes).toEqual(['/suite/tests/seed.test.md'])
    expect(spec.scenarios.map((scenario) => stepsOf(scenario).map(({ title }) => title))).toEqual([['Log in', '1.1 S']])
  })
})

test('directives of a group count for each of its scenarios', () => {
  const group = (words: string): string => `### 1. G\n\n<!-- mdtest: ${words} -->\n\n`
  const scenarios = ['#### 1.1 A', '#### 1.2 B\n\n<!-- mdtest: tags=own retry=0 -->']
    .map((head) => `${head}\n\n**Steps:**\n1. Go\n\n**Expected Results:**\n- It went\n\n`)
    .join('')
  const stepsUnder = (words: string): readonly unknown[] => {
    const { spec, problems } = parse(`# P\n\n## Application Overview\n\nA.\n\n${group(words)}${scenarios}`)
    expect(problems.filter(({ ruleId }) => ruleId !== 'nothing-to-execute')).toEqual([])
    return spec.scenarios.flatMap(stepsOf).map(({ directives }) => directives)
  }
  expect(stepsUnder('tags=all retry=2 skip="later" only')).toEqual([
    { tags: ['all'], retry: 2, skip: 'later', only: true },
    { tags: ['all', 'own'], retry: 0, skip: 'later', only: true },
  ])
  expect(stepsUnder('agent=none')).toEqual([])
})

/** A scenario as it is meant, and ways to write it. */
interface Meant {
  readonly title: string
  readonly checks: readonly string[]
}

const words = fc
  .array(fc.constantFrom('open', 'the', 'cart', 'Milk', '3', 'items', 'list', 'button', '"x"', 'größer'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.join(' '))
const form = fc.record({
  dot: fc.constantFrom('', '.'),
  frame: fc.boolean(),
  bullet: fc.constantFrom('-', '*'),
  expects: fc.constantFrom('list', 'nested', 'shallow', 'lines', 'after' as const),
  label: fc.constantFrom(
    '**Expected Results:**',
    '**Expected Result**:',
    'Expected Results:',
    '**Expected Outcomes:**',
  ),
  steps: fc.constantFrom('**Steps:**', '**Steps**:', '**Test Steps:**'),
  before: fc.constantFrom(
    '',
    '**File:** `tests/a.spec.ts`\n\n',
    '**Priority:** high\n**Tags:** a\n\n',
    'Some words before.\n\n',
  ),
  context: fc.constantFrom(
    '',
    '## Notes\n\n1. A note\n2. Another\n\n',
    '## Data\n\n### Valid\n- a\n\n### Invalid\n- b\n\n',
  ),
  ends: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
})

test('however a plan is written, it has its scenarios with their checks, in order and at their headings', () => {
  const one = fc.record({ title: words, checks: fc.array(words, { minLength: 1, maxLength: 2 }) })
  const groups = fc.array(fc.array(one, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
  fc.assert(
    fc.property(groups, form, (meant, written) => {
      const numbered = meant.map((group, g) =>
        group.map((one, s) => ({ ...one, title: `${g + 1}.${s + 1}${written.dot} ${one.title}` })),
      )
      const text = write(numbered, written)
      const parsed = parse(text)
      expect(parsed.problems).toEqual([])
      expect(parsed.spec.frontMatter.dialect).toBe('planner')
      expect(outlineOf(parsed)).toEqual(numbered.flat().map(({ title, checks }) => [title, checks]))
      const lines = text.split(/\r\n|\n/)
      for (const { title, line } of parsed.spec.scenarios) expect(lines[line - 1]?.replace(/^\W*#+ /, '')).toBe(title)
    }),
  )
})

test('a plan of which lines are lost or doubled is read without a throw, each scenario at a heading', () => {
  const whole = readFileSync(new URL('../../../../fixtures/specs/planner-document/spec.md', import.meta.url), 'utf8')
  const kind = fc.constantFrom('drop', 'double', 'indent', 'swap', 'blank')
  const edit = fc.record({ at: fc.nat(1000), kind, piece: fc.constant('') })
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
      const text = changeLines(whole, edits)
      const { spec } = parse(text, { '/suite/specs/seed.md': '# S\n\nDo it.\n' })
      const now = text.split('\n')
      if (spec.frontMatter.dialect !== 'planner') return
      for (const { line } of spec.scenarios) expect(now[line - 1]).toMatch(/^ {0,3}#{1,6}(?: |$)/)
    }),
  )
})

function write(
  groups: readonly (readonly Meant[])[],
  { frame, context, steps, before, ends, mark, ...how }: Written,
): string {
  const scenarios = groups.flatMap((group, index) => [
    `### ${index + 1}. Group ${index + 1}\n\n**Seed:** \`tests/seed.spec.ts\`\n\n`,
    ...group.map(({ title, checks }) => `#### ${title}\n\n${before}${steps}\n${writeSteps(checks, how)}\n`),
  ])
  const head = frame
    ? '# Plan\n\n## Application Overview\n\nA shop.\n\n- **Steps:** many\n\n## Test Scenarios\n\n'
    : '# Plan\n\n'
  return mark + `${head}${scenarios.join('')}${context}`.replaceAll('\n', ends)
}

type Written = typeof form extends fc.Arbitrary<infer T> ? T : never

function writeSteps(
  checks: readonly string[],
  { bullet, expects, label }: Pick<Written, 'bullet' | 'expects' | 'label'>,
): string {
  const [first = '', ...more] = checks
  if (expects === 'list') return `1. Go\n2. Look\n\n${label}\n${checks.map((text) => `${bullet} ${text}\n`).join('')}`
  if (expects === 'after') return `1. Go\n\n${label} ${first}\n${more.map((text) => `\nExpected: ${text}\n`).join('')}`
  const mark = { nested: `   ${bullet} expect: `, shallow: `    - expect: `, lines: '     Expect: ' }[expects] ?? ''
  const indent = expects === 'nested' ? '' : '  '
  return checks.map((text, index) => `${indent}${index + 1}. Go on\n${mark}${text}\n`).join('')
}
