import { describe, expect, test } from 'vitest'
import { parseDirectives } from '../../../src/spec/blocks/attributes-and-directives.ts'
import { inheritDirectives } from '../../../src/spec/sections/build-step.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { stepsOf, type Directives } from '../../../src/spec/spec.ts'
import { collectProblems } from '../collect-problems.ts'

function read(...texts: readonly string[]): { readonly directives: Directives; readonly found: readonly string[] } {
  const { report, found } = collectProblems()
  const comments = texts.map((text, index) => ({
    line: index + 1,
    column: 1,
    text,
    start: { line: index + 1, column: 13 },
  }))
  return { directives: parseDirectives(comments, report).directives, found }
}

describe('directives', () => {
  test.each<[string, Directives]>([
    ['skip', { skip: '' }],
    ['skip="not on Windows"', { skip: 'not on Windows' }],
    ['only todo fails', { only: true, todo: true, fails: true }],
    ['tags=smoke,größe,a-b', { tags: ['smoke', 'größe', 'a-b'] }],
    ['tags="a, b"', { tags: ['a', 'b'] }],
    ['timeout=1h retry=0', { timeoutMs: 3_600_000, retry: 0 }],
    ['retry=100', { retry: 100 }],
    ['repeats=5 require=4', { repeats: 5, require: 4 }],
    ['require=1\nrepeats=1', { repeats: 1, require: 1 }],
    ['agent=none', { agent: 'none' }],
  ])('%j are read', (text, expected) => {
    expect(read(text)).toEqual({ directives: expected, found: [] })
  })

  test.each<[string, string]>([
    ['', 'empty-directive 1:1'],
    [' \n ', 'empty-directive 1:1'],
    ['skipp', 'unknown-directive 1:13'],
    ['toString', 'unknown-directive 1:13'],
    ['=x', 'unknown-directive 1:13'],
    ['only=yes', 'bad-directive-value 1:13'],
    ['tags', 'bad-directive-value 1:13'],
    ['tags=a,,b', 'bad-directive-value 1:13'],
    ['tags=a(b)', 'bad-directive-value 1:13'],
    ['tags="a b"', 'bad-directive-value 1:13'],
    ['timeout=5', 'bad-directive-value 1:13'],
    ['retry=101', 'bad-directive-value 1:13'],
    ['retry=1.5', 'bad-directive-value 1:13'],
    ['repeats=0', 'bad-directive-value 1:13'],
    ['repeats=101', 'bad-directive-value 1:13'],
    ['agent=claude', 'bad-directive-value 1:13'],
    ['skip="open', 'bad-directive-value 1:13'],
    ['\n  later', 'unknown-directive 2:3'],
  ])('%j is a mistake at its place', (text, problem) => {
    expect(read(text)).toEqual({ directives: {}, found: [problem] })
  })

  test('what is required of repetitions fits them, in whatever comment they stand', () => {
    expect(read('repeats=2', 'require=2').found).toEqual([])
    expect(read('require=3', 'repeats=2').found).toEqual(['bad-directive-value 1:13'])
    expect(read('require=3').found).toEqual(['bad-directive-value 1:13'])
  })

  test('the second of two is a mistake, also in another comment, and the first one counts', () => {
    expect(read('retry=1', 'retry=2')).toEqual({ directives: { retry: 1 }, found: ['duplicate-directive 2:13'] })
  })

  test('steps have those of the headings above them, the nearest first', () => {
    const text = `---\nagent: none\n---\n\n# A\n\n## B\n\n<!-- mdtest: timeout=1s fails tags=x -->\n\n### C\n\n\`\`\`sh\n:\n\`\`\`\n\n### D\n\n<!-- mdtest: timeout=2s -->\n\n\`\`\`sh\n:\n\`\`\`\n`
    const { spec, problems } = parseSpec(text, { file: '/a.test.md' })
    expect(problems).toEqual([])
    const found = spec.scenarios.flatMap(stepsOf).map(({ directives }) => directives)
    expect(found).toEqual([
      { timeoutMs: 1000, fails: true },
      { timeoutMs: 2000, fails: true },
    ])
  })

  test('nothing is copied where there is nothing to inherit', () => {
    const parent = { directives: { tags: ['a'], retry: 2, only: true as const }, children: [] }
    expect(inheritDirectives(parent)).toBe(parent)
  })
})
