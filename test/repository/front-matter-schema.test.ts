import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { z } from 'zod'
import { specAgentNames } from '../../src/agents/registry.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { frontMatterSchema } from './front-matter-schema.ts'
import { root } from './tracked-files.ts'

test('the JSON schema of the front matter is current', async () => {
  await expect(`${JSON.stringify(frontMatterSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
    join(root, 'schemas/front-matter.json'),
  )
})

describe('the JSON schema', () => {
  const good: readonly object[] = [
    {},
    { title: 'A', agent: 'none', tags: ['smoke', 'a/b'], cwd: 'temp', network: false },
    { timeout: '5m', 'silence-timeout': '500ms', 'max-cost-usd': 0.5, 'max-tokens': 1 },
    { env: { A: 'text', _B1: 1.1, C: true }, allow: ['Bash(npm *)'], writes: ['data/**'] },
    { executor: 'mdtest' },
    { executor: 'auto', sandbox: 'require' },
    { 'min-assurance': 'verified', 'side-effects': true, 'x-team': { any: 'thing' } },
  ]
  const bad: readonly object[] = [
    { timeuot: '5m' },
    { dialect: 'scrut' },
    { agent: 'cursor' },
    { agent: { acp: [] } },
    { agent: 'None' },
    { title: ' ' },
    { title: 1 },
    { tags: 'smoke' },
    { tags: ['a b'] },
    { tags: ['a,b'] },
    { timeout: 300 },
    { timeout: '5 minutes' },
    { 'max-cost-usd': 0 },
    { 'max-tokens': 1.5 },
    { requires: ['chrome'] },
    { env: { '1A': 'x' } },
    { env: { A: ['x'] } },
    { network: 'yes' },
    { 'min-assurance': 'sure' },
    { allow: [''] },
    { executor: 'own' },
    { executor: true },
    { sandbox: 'always' },
    { hands: 'mdtest' },
  ]

  test.for([...good.map((value) => [value, true] as const), ...bad.map((value) => [value, false] as const)])(
    'and mdtest agree on %j',
    ([value, isGood]) => {
      const schema = z.fromJSONSchema(frontMatterSchema())
      const text = `---\n${stringify(value)}---\n\n# Title\n\nDo it.\n\n\`\`\`sh verify\ntrue\n\`\`\`\n`
      const rules = parseSpec(text, { file: '/a.test.md', agentNames: specAgentNames }).problems.map(
        ({ ruleId }) => ruleId,
      )
      expect(schema.safeParse(value).success).toBe(isGood)
      expect(rules.filter((rule) => /^front-matter|^unknown-agent/.test(rule))).toHaveLength(isGood ? 0 : 1)
    },
  )
})
