import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { specRules } from '../../../src/spec/rules/spec-rules.ts'

test('the documentation lists exactly the rules of the source', () => {
  const doc = readFileSync(new URL('../../../docs/spec-rules.md', import.meta.url), 'utf8')
  const listed = [...doc.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, id, text]) => [id, text])
  expect(listed).toEqual(Object.entries(specRules))
})
