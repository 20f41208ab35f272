import { expect, test } from 'vitest'
import { formatProblems } from '../../../src/spec/problems.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

const cases: Readonly<Record<string, string>> = {
  'an indented key below a value': 'agent: none\n  cwd: temp',
  'an indented key in a mapping': 'env:\n  A: 1\n   B: 2',
  'a key further to the left': 'env:\n  A: 1\n B: 2',
  'a first key further to the right': '  agent: none\ncwd: temp',
  'a tab': 'agent: none\nenv:\n\tA: 1',
  'a tab before a list': 'tags:\n\t- a',
  'a double quote that is not closed': 'title: "abc\nagent: none',
  'a single quote that is not closed': "agent: none\ntitle: 'abc\ntags: [a]",
  'a quote in a list that is not closed': "agent: none\nallow: ['Bash(ls), 'Read']",
  'a quote inside of quotes': "allow: ['Bash(echo 'a')']",
  'text behind a quote': 'title: "a" b',
  'a bracket that is not closed': 'tags: [a, b\nagent: none',
  'a bracket that is not closed at the end': 'agent: none\ntags: [a, b',
  'a brace that is not closed': 'env: {A: 1\nagent: none',
  'a bracket too much': 'tags: [a]]',
  'a key twice': 'agent: none\ntags: [a]\nagent: auto',
  'a list': '- agent: none',
  'no blank behind the colon': 'agent:none',
  'no blank behind the colon, first of two': 'agent:none\ntags: [a]',
  'no blank behind the colon, second of two': 'tags: [a]\nagent:none',
  'no colon': 'agent none',
  'an equals sign': 'tags: [a]\nagent = none',
  'no blank behind a dash': 'tags:\n-a\n-b',
  'a colon in a value': 'agent: none\ntitle: Shop: the cart',
  'a colon and a quote in a value': "title: Don't: do it",
  'two keys in a line': 'agent: none, cwd: temp',
  'a pattern without quotes': 'watch:\n  - *.ts',
  'a pattern without quotes in a list': 'watch: [src/a.ts, **/*.ts]',
  'a sign that YAML keeps': 'title: @home',
  'a tag': 'tags: [!slow]',
  'a backslash in double quotes': 'title: "C:\\dir"',
  'a text behind its sign': 'title: | abc',
  'two documents': 'agent: none\n...\ntags: [a]',
  'a JSON object that is not closed': '{ "agent": "none"',
  'the key `require` for `requires`': 'require: ["bin:python3"]',
  'a text where a list is meant': 'tags: a b',
  'no line that ends it': 'agent: none\n\n# Shop\n\nBuy a mug.\n',
  'a text of words': 'just some text\nagent: none',
}

test.for(Object.entries(cases))('%s is told once, at its line', ([, yaml]) => {
  const text = `---\n${yaml}\n---\n\n# A\n\n\`\`\`sh\ntrue\n\`\`\`\n`
  const parsed = parseSpec(text, { file: '/p/a.test.md' })
  expect(parsed.problems.length).toBe(1)
  expect(formatProblems(parsed.problems, { text, root: '/p' })).toMatchSnapshot()
})
