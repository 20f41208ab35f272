import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { blocksOf, stepsOf, type ParsedSpec } from '../../../src/spec/spec.ts'

const spec = `# notes

## Purpose
What notes are for.

## Requirements

### Requirement: Keep
It SHALL keep notes.

#### Scenario: First
- **WHEN** a note is added
- **THEN** it is kept

#### Scenario: Second
- **WHEN** another note is added
- **THEN** both are kept
`

const outer = `---
agent: claude
allow: ['Bash(npm *)']
env:
  LEVEL: outer
  COLOR: red
cwd: copy
watch: ['src/**']
---

# How it is run

Run it with \`node notes.mjs\`.

## Setup

\`\`\`sh run
rm -f notes.txt
\`\`\`

## Files

Notes are in \`notes.txt\`.
`

const inner = `---
allow: ['Bash(node *)']
env:
  LEVEL: inner
---

## Scenario: Second

\`\`\`sh run
node notes.mjs add milk
\`\`\`

\`\`\`sh verify
test "$(wc -l < notes.txt)" = 2
\`\`\`

## Teardown

\`\`\`sh run
rm -f notes.txt
\`\`\`
`

interface Files {
  readonly outer?: string
  readonly inner?: string
}

function parse(files: Files, hasScenario?: (title: string) => boolean): ParsedSpec {
  const texts: Readonly<Record<string, string | undefined>> = {
    '/suite/openspec/mdtest.context.md': files.outer,
    '/suite/openspec/specs/notes/mdtest.context.md': files.inner,
  }
  return parseSpec(spec, {
    file: '/suite/openspec/specs/notes/spec.md',
    dialectOf: () => 'openspec',
    agentNames: ['claude'],
    contextFiles: Object.keys(texts),
    readIncluded: (file) => texts[file] ?? { problem: 'there is no such file.', isMissing: true },
    ...(hasScenario && { hasScenario }),
  })
}

const told = ({ problems }: ParsedSpec): readonly string[] =>
  problems.map(({ file, line, ruleId }) => `${file.replace('/suite/openspec/', '')}:${line} ${ruleId}`)

describe('mdtest.context.md', () => {
  test('is missing: the spec is as it is', () => {
    const { spec: found, problems } = parse({})
    expect(problems).toEqual([])
    expect(found).toMatchObject({ agent: 'auto', includes: [] })
    expect(found.scenarios.flatMap(blocksOf)).toEqual([])
  })

  test('of all folders is put together, and the nearest one wins', () => {
    const { spec: found, problems, included } = parse({ outer, inner })
    expect(problems).toEqual([])
    expect(found.agent).toBe('claude')
    expect(found.frontMatter).toMatchObject({
      dialect: 'openspec',
      cwd: 'copy',
      env: { LEVEL: 'inner', COLOR: 'red' },
      watch: ['src/**'],
      settings: { allow: ['Bash(npm *)', 'Bash(node *)'] },
    })
    expect(found.includes).toEqual([...included.keys()])
    const files = found.includes
    for (const { setup, teardown, preambles } of found.scenarios) {
      expect(setup?.blocks).toMatchObject([{ file: files[0], code: 'rm -f notes.txt' }])
      expect(teardown?.blocks).toMatchObject([{ file: files[1], code: 'rm -f notes.txt' }])
      expect(preambles?.filter(({ file }) => file === files[0]).map(({ line }) => line)).toEqual([11, 21])
    }
  })

  test('has blocks for a scenario by its title', () => {
    const { spec: found } = parse({ inner })
    const blocks = found.scenarios.flatMap(stepsOf).map((step) => step.blocks)
    const file = '/suite/openspec/specs/notes/mdtest.context.md'
    expect(blocks).toMatchObject([
      [],
      [
        { role: 'run', line: 9, file },
        { role: 'verify', line: 13, file },
      ],
    ])
  })

  test('with a title that no file has is a problem, unless another file has it', () => {
    const text = '## Scenario: Third\n\n```sh run\ntrue\n```\n\n## Scenario: Second\n\n## Scenario: Second\n'
    expect(told(parse({ outer: text }))).toEqual([
      'mdtest.context.md:1 context-scenario',
      'mdtest.context.md:9 context-scenario',
    ])
    expect(told(parse({ outer: text }, (title) => title === 'Third'))).toEqual(['mdtest.context.md:9 context-scenario'])
  })

  test('says nothing that is of one spec, and has no block that would never run', () => {
    const text =
      '---\ntitle: Notes\ninclude: [a.md]\nallow: 1\nagent: nobody\n---\n\n# Notes\n\n```sh run\ntrue\n```\n\n## About\n\n```sh run\ntrue\n```\n\n- [ ] It is fast.\n\n## Scenario: First\n\n- [ ] It is right.\n'
    expect(told(parse({ inner: text }))).toEqual([
      'specs/notes/mdtest.context.md:2 context-file',
      'specs/notes/mdtest.context.md:3 context-file',
      'specs/notes/mdtest.context.md:4 front-matter-bad-value',
      'specs/notes/mdtest.context.md:5 unknown-agent',
      'specs/notes/mdtest.context.md:10 block-in-context',
      'specs/notes/mdtest.context.md:16 block-in-context',
      'specs/notes/mdtest.context.md:20 check-outside-step',
      'specs/notes/mdtest.context.md:24 check-outside-step',
    ])
    const above = '- [ ] It is fast.\n\n```sh verify\ntrue\n```\n\n## Setup\n\nStart it.\n'
    const lost = ['1 check-outside-step', '3 block-in-context'].map((one) => `mdtest.context.md:${one}`)
    expect(told(parse({ outer: above }))).toEqual(lost)
  })
})

test('front matter of another tool may have keys of its own, but not wrong ones of ours', () => {
  const parse = (head: string, dialect: string | undefined): readonly string[] =>
    parseSpec(`---\n${head}\n---\n\n${spec}`, {
      file: '/project/openspec/specs/notes/spec.md',
      dialectOf: () => dialect,
      agentNames: ['claude'],
    }).problems.map(({ ruleId }) => ruleId)
  expect(parse('owner: somebody\nagnet: claude', 'openspec')).toEqual([])
  expect(parse('owner: somebody\ntimeout: soon', 'openspec')).toEqual(['front-matter-bad-value'])
  expect(parse('dialect: openspec\nowner: somebody', undefined)).toEqual(['front-matter-unknown-key'])
})
