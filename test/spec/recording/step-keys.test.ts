import { expect, it } from 'vitest'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'

const own = '/project/notes.test.md'

/** Of all its scenarios. */
function keys(text: string, included: Readonly<Record<string, string>> = {}, file = own): readonly string[] {
  const textOf = (path: string): string => (path === file ? text : (included[path.slice('/project/'.length)] ?? ''))
  const { spec, problems } = parseSpec(text, {
    file,
    agentDefault: 'claude',
    readIncluded: (path) => Buffer.from(textOf(path)),
  })
  expect(problems).toEqual([])
  return spec.scenarios.flatMap((scenario) => [
    ...keysOf(spec, scenario, (path) => textOf(path).replace(/\r\n/g, '\n')).values(),
  ])
}

const spec = `# Notes

Open the list first.

## Setup

\`\`\`sh run
rm -f notes.json
\`\`\`

## Add a note

Add a note "milk".

- [ ] It is in the list.

\`\`\`sh verify
grep milk notes.json
\`\`\`

## Tick it off

Tick the note off.

### Look at it

Look at the list.
`

it('gives each step a key of eight hexadecimal digits', () => {
  const found = keys(spec)
  expect(found).toHaveLength(2)
  for (const key of found) expect(key).toMatch(/^[\da-f]{8}$/)
  expect(new Set(found).size).toBe(2)
})

it.each([
  ['white space', (text: string) => text.replace('Add a note "milk".', 'Add  a note\n"milk".')],
  ['line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  ['a verify block', (text: string) => text.replace('grep milk', 'grep -q milk')],
  ['a verify block that is gone', (text: string) => text.replace(/```sh verify[^]*?```\n/, '')],
  ['a comment', (text: string) => text.replace('Add a note "', '<!-- why -->\nAdd a note "')],
  ['the tick of a check', (text: string) => text.replace('[ ]', '[x]')],
  [
    'marks of lists and widths',
    (text: string) => text.replace('- [ ]', '*   [ ]').replace('## Add a note', '## Add a note ##'),
  ],
  [
    'when it runs',
    (text: string) => text.replace('# Add a note\n', '# Add a note\n\n<!-- mdtest: tags=a retry=2 -->\n'),
  ],
  ['front matter', (text: string) => `---\ntags: [slow]\n---\n\n${text}`],
])('keeps all keys when only %s changes', (_what, change) => {
  expect(keys(change(spec))).toEqual(keys(spec))
})

it.each([
  ['the prose of the first step', 'Add a note "milk".', 'Add a note "bread".', [false, false]],
  ['a check of the first step', 'It is in the list.', 'It is the only one.', [false, false]],
  ['the title of the first step', '## Add a note', '## Make a note', [false, false]],
  ['the set-up', 'rm -f notes.json', 'echo "[]" > notes.json', [false, false]],
  ['what stands above all steps', 'Open the list first.', 'Open the list last.', [false, false]],
  ['a directive of the first step', '## Add a note\n', '## Add a note\n\n<!-- mdtest: fails -->\n', [false, false]],
  ['the heading of a group', '## Tick it off', '## Cross it out', [true, false]],
  ['the text of a group', 'Tick the note off.', 'Cross the note out.', [true, false]],
  ['the last step', 'Look at the list.', 'Look at the notes.', [true, false]],
])('changes the keys from there on when %s changes', (_what, from, to, same) => {
  const changed = spec.replace(from, to)
  expect(changed).not.toBe(spec)
  const before = keys(spec)
  expect(keys(changed).map((key, index) => key === before[index])).toEqual(same)
})

it.each([
  ['white space', '  print(1)', 'print(1)'],
  ['a comment', '<!-- one -->', '<!-- two -->'],
  ['a line that is empty', 'a:\n', 'a:'],
  ['a rule', '-----', '---'],
])('changes the key when %s changes in code for the agent', (_what, from, to) => {
  const withCode = (code: string, indent = ''): string =>
    spec.replace('Add a note "milk".', ['Write:', '', '```', 'first', code, '```'].join('\n').replace(/^/gm, indent))
  expect(keys(withCode(from))[0]).not.toBe(keys(withCode(to))[0])
  expect(keys(withCode(from, '  '))).toEqual(keys(withCode(from)))
})

it.each([
  ['code that looks like a comment', '`<!-- one -->`', '`<!-- two -->`', [false, false]],
  ['the title', '# Notes\n', '# More notes\n', [false, false]],
  ['context', 'stands in data/', 'stands in lib/', [false, false]],
])('changes the keys when %s changes, which the agent reads', (_what, from, to, same) => {
  const whole = `${spec.replace('Add a note "milk".', 'Add a note `<!-- one -->`.')}\n## Notes\n\nIt stands in data/.\n`
  const before = keys(whole)
  expect(whole.replace(from, to)).not.toBe(whole)
  expect(keys(whole.replace(from, to)).map((key, index) => key === before[index])).toEqual(same)
})

const linked = (said: string, below = ''): string =>
  `# Notes\n\n## Add\n\n${said}\n\n## Look\n\nLook at it.\n${below}\n## Notes\n\nAll is kept.\n`

it.each([
  ['See <http://localhost:3000/a>.', 'See http://localhost:3000/a.'],
  ['<https://a.b/c_d?e=f#g>', 'https://a.b/c_d?e=f#g'],
  ['Open (<http://a.b>), then\n<http://c.d>', 'Open (http://a.b), then http://c.d'],
  ['**<http://a.b>** is new', '**http://a.b** is new'],
  ['- [ ] <http://a.b>, it says', '- [ ] http://a.b, it says'],
  ['| a |\n| - |\n| <http://a.b> |', '| a |\n| - |\n| http://a.b |'],
  ['Write to <ann@a.b>!', 'Write to ann@a.b!'],
  ['## <http://a.b>', '## http://a.b'],
  ['Open [http://a.b](http://a.b) now', 'Open http://a.b now'],
])('keeps the keys when an address stands with or without brackets: %s', (one, other) => {
  expect(keys(linked(one))).toEqual(keys(linked(other)))
})

const a = '\n[1]: http://a.b "A b"\n'

it.each([
  ['[x][1] is', '[x](http://a.b "A b") is', a],
  ['[1][] is', '[1](http://a.b "A b") is', a],
  ['([1])', '([1](http://a.b "A b"))', a],
  ['![x][1]', '![x](http://a.b "A b")', a],
  ['- [ ] [**x**][1], y', '- [ ] [**x**](http://a.b "A b"), y', a],
  ['See [x][Ä b].', 'See [x](<a b.md>).', '\n[ä B]: <a b.md>\n'],
  ['See [x][1].\n\n[1]: http://a.b', 'See [x](http://a.b).', a],
  ['See [http://a.b][c].', 'See http://a.b.', '\n[c]: http://a.b\n'],
])('keeps the keys when a link is written by reference: %s', (byReference, inline, below) => {
  expect(keys(linked(byReference, below))).toEqual(keys(linked(inline)))
})

it.each([
  ['See [x][1].', a, '[1]: http://a.b', '[1]: http://a.c', [false, false]],
  ['See [x][1].', a, '"A b"', '"A c"', [false, false]],
  ['See [x][1].', a, '[x]', '[y]', [false, false]],
  ['See it.', a, '[1]: http://a.b', '[1]: http://a.c', [true, false]],
  ['See <http://a.b>.', '', '<http://a.b>', '[x](http://a.b)', [false, false]],
  ['See [http://a.b](http://a.c).', '', 'a.c', 'a.d', [false, false]],
  ['See <http://a.b>.', '', 'a.b', 'a.c', [false, false]],
])('changes the keys when an address or its text changes: %s', (said, below, from, to, same) => {
  const before = keys(linked(said, below))
  expect(keys(linked(said, below).replace(from, to)).map((key, index) => key === before[index])).toEqual(same)
})

it('gives each row of a table its own key, by its values', () => {
  const table = (value: string): string =>
    `# Shop\n\n## Order <what>\n\nOrder it.\n\n### Examples\n\n| what |\n| --- |\n| tea |\n| ${value} |\n`
  const [tea, milk] = keys(table('milk'))
  expect(tea).not.toBe(milk)
  const [sameTea, bread] = keys(table('bread'))
  expect(bread).not.toBe(milk)
  // The text of the section holds the table of all rows.
  expect(sameTea).not.toBe(bread)
})

it('does not take text that moves between two parts for the same', () => {
  const one = '# A\n\n## One\n\na b\n\n## Two\n\nc\n'
  const other = '# A\n\n## One\n\na\n\n## Two\n\nb c\n'
  expect(keys(one)).not.toEqual(keys(other))
})

const table = `# Notes

## Add {{name}}

Add a note.

### Examples

| name |
| --- |
| milk |
| bread |
`

it('keeps the keys of rows when another is added behind them, and the table is aligned anew', () => {
  const wider = table.replace('| --- |', '| --------- |').replace('| milk |', '| milk      |')
  expect(keys(`${wider}| chocolate |\n`).slice(0, 2)).toEqual(keys(table))
})

it('changes the key of a row with its values, and of those behind it', () => {
  const [first, second] = keys(table)
  const other = keys(table.replace('bread', 'toast'))
  expect(other[0]).toBe(first)
  expect(other[1]).not.toBe(second)
})

const checkedTable = table
  .replace(
    'Add a note.\n',
    'Add a note.\n\n```sh run\n: {{name}}\n```\n\n```sh verify\ngrep {{name}} notes.json\n```\n',
  )
  .replace('# Notes\n', '# Notes\n\n## List\n\nList them.\n')

it.each([
  ['a verify block', 'grep', 'grep -q', true],
  ['a verify block that is gone', /```sh verify[^]*?```\n/, '', true],
  ['a run block', ': {{name}}', 'true {{name}}', false],
  ['the prose', 'Add a note.', 'Add one.', false],
])('keeps the keys of rows when %s of their step changes: "%s"', (_what, from, to, isKept) => {
  const changed = checkedTable.replace(from, to)
  expect(changed).not.toBe(checkedTable)
  const [list, ...rows] = keys(checkedTable)
  const [sameList, ...others] = keys(changed)
  expect(sameList).toBe(list)
  expect(rows).toHaveLength(2)
  expect(others.map((key, index) => key === rows[index])).toEqual([isKept, isKept])
})

const block = (code: string): string => `\`\`\`sh run\n${code}\n\`\`\`\n`
const above = `Use the test account.\n\n${block('rm -f notes.json')}\n# Notes\n\nOf milk.\n\n## Add\n\nAdd it.\n\n# More\n\nDo more.\n`
const early = '## Early\n\nDo it.\n\n# Notes\n\nOf milk.\n\n## Late\n\nDo it.\n'

it.each([
  ['prose above the first H1', above, 'the test account', 'no account'],
  ['a block above the first H1', above, 'rm -f notes.json', 'true'],
  ['the text of an H1 below a step', early, 'Of milk.', 'Of bread.'],
])('changes all keys when %s changes', (_what, text, from, to) => {
  const changed = text.replace(from, to)
  expect(changed).not.toBe(text)
  const before = keys(text)
  expect(keys(changed).filter((key) => before.includes(key))).toEqual([])
})

it('keeps all keys when a comment above the first H1 changes', () => {
  const more = above.replace('# Notes', '<!-- why -->\n\n# Notes')
  expect(keys(more)).toEqual(keys(above))
})

const including = `---\ninclude: [shared.md]\n---\n\n# Notes\n\n## Add\n\nAdd it.\n\n## Setup\n\n${block('rm -f notes.json')}`
const setup = `## Setup\n\n${block('mkdir data')}`

it.each([
  ['its prose above an H1', '# Shared\n', 'Use the test account.\n\n# Shared\n'],
  ['its block above an H1', `${block('true')}\n# Shared\n\n## Log in\n\nLog in.\n`, undefined],
  ['its prose without an H1', 'Use the true account.\n\n## Log in\n\nLog in.\n', undefined],
  ['its set-up', setup.replace('mkdir data', 'true'), undefined],
])('changes all keys when %s changes in an included file', (_what, from, to = from.replace('true', 'false')) => {
  const before = keys(including, { 'shared.md': `${from}\n` })
  expect(keys(including, { 'shared.md': `${to}\n` }).filter((key) => before.includes(key))).toEqual([])
})

it('changes all keys when the set-up of the spec changes beside that of an included file', () => {
  const before = keys(including, { 'shared.md': setup })
  const changed = keys(including.replace('rm -f', 'rm -rf'), { 'shared.md': setup })
  expect(changed.filter((key) => before.includes(key))).toEqual([])
})

const feature = `Feature: Cart
  Background:
    Given an empty cart

  Scenario: Add
    When a mug is added
      # by hand
      | name | price |
      | Mug  | 4     |
    Then the cart has it
      """
      \`\`\`
      # 1 mug
      \`\`\`
      """

  Scenario Outline: Count
    Then <n> is a count
    Examples:
      | n |
      | 1 |
      | 2 |
`

it.each([
  ['a background', 'an empty cart', 'a full cart', [0, 1, 2]],
  ['a scenario', 'a mug', 'a cup', [0]],
  ['an outline', 'is a count', 'is a number', [1, 2]],
  ['a row', '| 2 |', '| 3 |', [2]],
  ['nothing', 'Feature: Cart', 'Feature: Cart ', []],
  ['a comment', '# by hand', '# by a script', []],
  ['padding', '| Mug  | 4     |', '| Mug | 4 |', []],
  ['a bar in a cell', '| 4     |', '| 4\\|    |', [0]],
  ['a cell', '| Mug  |', '| Mugs |', [0]],
  ['a doc string', '# 1 mug', '# 2 mugs', [0]],
])('changes the keys of what a feature does with %s', (_what, from, to, changed) => {
  const path = '/project/cart.feature'
  const before = keys(feature, {}, path)
  const after = keys(feature.replace(from, to), {}, path)
  expect(after.flatMap((key, index) => (key === before[index] ? [] : [index]))).toEqual(changed)
})
