import fc, { anyCharacter } from '../support/fast-check.ts'
import { describe, expect, test } from 'vitest'

import { formatProblems } from '../../src/spec/problems.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { stepsOf } from '../../src/spec/spec.ts'

const file = '/s.test.md'
const pieces = [
  ...['# A', '## B', '### Setup', '## Notes', '# After', '---', '***', '===', '', '', 'prose'],
  ...['- [ ] check', '  - [x] sub', '```sh run', '```', '~~~console verify', '~~~', '```output'],
  ...['```python run', '```ts', '```sh', '$ a', '> b', '[2]', '<!-- mdtest: skip -->'],
  ...['<!-- mdtest: agent=none -->', '<!-- mdtest:', '-->', '<div>', '| a |\n|---|', '### Examples'],
  ...['| a | {{a}} |\n|---|---|\n| 1 | `<a>` |\n| {{a}} |  |', '## Add <a> {{{{a}}}}', '> quote'],
  ...['[^1]: n', 'agent: none', 'tags: [a', 'x-a: 1', '    indented', '\t', '\u0000', '\uFEFF'],
  ...['\uD800', '1. ```sh verify', '> ```sh run', '...'],
]
const line = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter, maxLength: 12 }))
const title = fc.constantFrom('# A', '## B', '## C', '### D', 'prose', '', '- [ ] check')
const markdown = fc
  .tuple(
    fc.oneof(fc.array(line, { maxLength: 40 }), fc.array(title, { minLength: 2, maxLength: 9 })),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.boolean(),
  )
  .map(([all, end, isNone]) => [...(isNone ? ['---', 'agent: none', '---'] : []), ...all].join(end))

describe('parseSpec', () => {
  test('never throws, every problem is inside the text, and without any there are steps with unique ids', () => {
    let sound = 0
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ unit: anyCharacter })), (text) => {
        const { spec, problems } = parseSpec(text, { file })
        const count = text.split(/\r\n|\r|\n/).length
        for (const { line, column } of problems) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(count)
          expect(column).toBeGreaterThanOrEqual(1)
        }
        expect(JSON.parse(JSON.stringify(spec))).toEqual(spec)
        expect(formatProblems(problems, { text })).not.toContain('\u001B')
        if (problems.length > 0) return
        sound += 1
        expect(spec.scenarios.length).toBeGreaterThan(0)
        for (const scenario of spec.scenarios) {
          const steps = stepsOf(scenario)
          expect(steps.length).toBeGreaterThan(0)
          expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
          for (const step of steps) expect(step.endLine).toBeGreaterThanOrEqual(step.line)
        }
      }),
    )
    expect(sound).toBeGreaterThan(0)
  })

  test('titles of plain words and any special characters come back as written', () => {
    const character = fc.constantFrom(...('abc 12"\'`$ {}()\\🎉é你م%#'.match(/./gu) ?? []))
    const written = fc.array(character, { minLength: 1, maxLength: 20 }).map((all) => `t${all.join('')}t`)
    fc.assert(
      fc.property(written, (text) => {
        const escaped = text.replace(/[\\`#${}()"'%]/g, '\\$&')
        const { spec } = parseSpec(`# T\n\n## ${escaped}\n\nDo it.\n`, { file })
        expect(spec.scenarios[0]?.children[0]?.title).toBe(text.replace(/ +/g, ' '))
      }),
    )
  })

  test('reads blocks with much expected output, and steps after them at their lines', () => {
    const output = 'a line of output\n'.repeat(15_000)
    const text = `# T\n\n## A\n\n\`\`\`sh run\na\n\`\`\`\n\n\`\`\`output\n${output}\`\`\`\n\n## B\n\nDo it.\n`
    const { spec, problems } = parseSpec(text, { file })
    expect(problems).toEqual([])
    expect(spec.scenarios[0]?.children).toMatchObject([
      { title: 'A', blocks: [{ expected: [{ text: output.slice(0, -1) }] }] },
      { title: 'B', line: 15_012 },
    ])
  })

  test('reads blocks below a comment that holds fences', () => {
    const comment = '<!--\n```sh run\nnot run\n```\n\n```\n-->\n\n'
    const text = `# T\n\n${comment.replace('sh run', 'sh').repeat(20)}## S\n\n\`\`\`sh run\na\n\`\`\`\n`
    const { spec, problems } = parseSpec(text, { file })
    expect(problems).toEqual([])
    expect(spec.scenarios[0]?.children).toMatchObject([{ title: 'S', blocks: [{ code: 'a' }] }])
  })

  test('reports a NUL byte where it stands', () => {
    const { problems } = parseSpec('# T\n\nab\0c\n', { file })
    expect(problems).toMatchObject([{ line: 3, column: 3, ruleId: 'nul-byte' }])
  })

  test('does not parse more than 1 MiB', () => {
    const { spec, problems } = parseSpec('é'.repeat(512 * 1024 + 1), { file })
    expect(problems).toMatchObject([{ line: 1, column: 1, ruleId: 'spec-too-large' }])
    expect(spec.scenarios).toEqual([])
  })

  test('reads a block below 100 levels of lists and quotes', () => {
    const list = Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- level`).join('\n')
    const { spec, problems } = parseSpec(`# T\n\n${list}\n\n${'> '.repeat(100)}deep\n`, { file })
    expect(problems).toEqual([])
    expect(spec.scenarios[0]?.children).toMatchObject([{ actor: 'agent' }])
  })

  test.each([
    ['an unclosed quote per word', `\`\`\`sh run ${'a="x '.repeat(5000)}`],
    ['backslashes of a transcript', `# T\n\n\`\`\`console run\n${`$ a\n${'\\\\'.repeat(20)}\n`.repeat(9000)}\`\`\`\n`],
    ['unclosed comments', `<div>\n${'<!-- '.repeat(30_000)}`],
    ['words of a foreign fence', `\`\`\`x ${'a '.repeat(30_000)}\n\`\`\``],
    ['capture openings', `# T\n\n\`\`\`console run\n$ a\n${'{{a:/'.repeat(20_000)}\n\`\`\``],
    ['angle brackets', `<div>\n${'<'.repeat(30_000)}`],
    ['equal titles', '# T\n\n## A\n\n'.concat('## A\n\n'.repeat(500))],
    ['a line of 1 MB in a fence', `# T\n\n\`\`\`sh run\na\n\`\`\`\n\`\`\`output\n${'x'.repeat(1_000_000)}\n\`\`\`\n`],
    ['headings', '# a\n'.repeat(5000)],
    ['brackets', '['.repeat(10_000)],
    ['emphasis', '*a '.repeat(2000)],
    ['backticks', '`a '.repeat(2000)],
    ['list items', '- a\n'.repeat(5000)],
    ['underlined headings', 'a\n=\n'.repeat(3000)],
    ['a list that gets deeper', Array.from({ length: 150 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
    ['lists on one line', '- '.repeat(1000)],
    ['cells', `${'|a'.repeat(3000)}\n${'|-'.repeat(3000)}\n`],
    ['fences in an open comment', `<!--\n${'```x\n'.repeat(5000)}\`\`\``],
    ['ends of comments', '-->\n\n'.repeat(2000)],
    ['comments in raw HTML', `<div>\n${'<!-- a --> b\n'.repeat(6000)}`],
    ['plain words', 'words and more words\n\n'.repeat(5000)],
    ['one large script', `# T\n\n\`\`\`sh run\n${'echo a line of code\n'.repeat(5000)}\`\`\`\n`],
  ])('reads %s within seconds', (_name, text) => {
    const start = process.cpuUsage()
    parseSpec(text, { file })
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1e6).toBeLessThan(10)
  })
})
