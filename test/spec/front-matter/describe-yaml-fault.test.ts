import { expect, test } from 'vitest'
import { formatProblems } from '../../../src/spec/problems.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

const cases: Readonly<Record<string, string>> = {
  'a tab': 'agent: none\nenv:\n\tA: 1',
  'a quote in a list that is not closed': "agent: none\nallow: ['Bash(ls), 'Read']",
  'a bracket that is not closed at the end': 'agent: none\ntags: [a, b',
  'a key twice': 'agent: none\ntags: [a]\nagent: auto',
  'a list': '- agent: none',
  'no blank behind the colon': 'agent:none',
  'an equals sign': 'tags: [a]\nagent = none',
  'a colon in a value': 'agent: none\ntitle: Shop: the cart',
  'a colon and a quote in a value': "title: Don't: do it",
  'a tag': 'tags: [!slow]',
  'two documents': 'agent: none\n...\ntags: [a]',
  'a JSON object that is not closed': '{ "agent": "none"',
  'the key `require` for `requires`': 'require: ["bin:python3"]',
  'a text where a list is meant': 'tags: a b',
  'a dialect that is gone': 'dialect: scrut',
  'no line that ends it': 'agent: none\n\n# Shop\n\nBuy a mug.\n',
}

test.for(Object.entries(cases))('%s is told once, at its line', ([, yaml]) => {
  const text = `---\n${yaml}\n---\n\n# A\n\n\`\`\`sh\ntrue\n\`\`\`\n`
  const parsed = parseSpec(text, { file: '/p/a.test.md' })
  expect(parsed.problems.length).toBe(1)
  expect(formatProblems(parsed.problems, { text, root: '/p' })).toMatchSnapshot()
})
