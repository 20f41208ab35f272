import { expect, test } from 'vitest'
import { parseSpec } from '../../src/spec/parse-spec.ts'

const block = '## Run\n\n```sh\ntrue\n```\n'
const tasks = '- [x] done\n- [ ] open\n'
const rulesOf = (body: string): readonly string[] =>
  parseSpec(`---\nagent: none\n---\n\n# A\n\n${block}\n${body}`, { file: '/p/a.test.md' }).problems.map(
    ({ ruleId }) => ruleId,
  )

test('without an agent a check is a mistake', () => {
  expect(rulesOf(`## Roadmap\n\n${tasks}`)).toEqual(['check-without-agent', 'check-without-agent'])
  expect(rulesOf(`## Roadmap\n\n<!-- mdtest: fails -->\n\n${tasks}`)).toContain('check-without-agent')
})

test.for(['skip', 'skip="later"', 'todo'])('under `%s` it is none, in the section and all below', (word) => {
  const directive = `<!-- mdtest: ${word} -->\n\n`
  expect(rulesOf(`## Roadmap\n\n${directive}${tasks}`)).toEqual([])
  expect(rulesOf(`## Roadmap\n\n${directive}Soon.\n\n${tasks}`)).toEqual([])
  expect(rulesOf(`## Roadmap\n\n${directive}### Next\n\n${tasks}\n### Later\n\nText.\n\n${tasks}`)).toEqual([])
})
