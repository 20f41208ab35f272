import { expect, test } from 'vitest'

import { parseSpec } from '../../src/spec/parse-spec.ts'

test.each([
  [undefined, undefined, undefined, 'auto'],
  [undefined, undefined, 'codex', 'codex'],
  [undefined, 'claude', 'codex', 'claude'],
  ['codex', 'claude', undefined, 'codex'],
  ['codex', 'none', 'claude', 'none'],
  ['none', 'claude', 'codex', 'none'],
  [undefined, 'none', 'codex', 'none'],
  [undefined, undefined, 'none', 'none'],
  ['claude', undefined, 'none', 'claude'],
])('override %s, front matter %s and default %s make %s', (agentOverride, agent, agentDefault, expected) => {
  const text = `---\n${agent === undefined ? '' : `agent: ${agent}\n`}---\n\n# T\n\n\`\`\`sh run\na\n\`\`\`\n`
  const { spec } = parseSpec(text, {
    file: '/s.test.md',
    ...(agentOverride && { agentOverride }),
    ...(agentDefault && { agentDefault }),
  })
  expect(spec.agent).toBe(expected)
})
