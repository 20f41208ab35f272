import { expect, test } from 'vitest'
import { createIsSpec, fileOf } from '../../src/plan/spec-files.ts'

const isSpec = createIsSpec({
  root: '/r',
  include: ['**/*.test.md', 'docs/{a,b,a.recording}.md'],
  files: ['/else/where.md', '/else/a.recording.md'],
})

test.each([
  ['/r/x.test.md', true],
  ['/r/a b/ü.test.md', true],
  ['/r/x.test.md?t=17&import', false],
  ['/r/x.test.md?t=17', true],
  ['/r/x.test.md?v=abc', true],
  ['/r/x.test.md?raw', false],
  ['/r/docs/a.md', true],
  ['/r/docs/c.md', false],
  ['/r/docs/a.md.ts', false],
  ['/else/where.md', true],
  ['/else/there.md', false],
  ['/else/a.recording.md', false],
  ['/r/docs/a.recording.md', false],
  ['/r/x.recording.test.md', true],
  ['', false],
])('%j is a spec: %s', (id, expected) => {
  expect(isSpec(id)).toBe(expected)
})

test.each([
  ['/r/a.md?raw', '/r/a.md'],
  ['/r/a.md', '/r/a.md'],
  ['?x', ''],
])('the file of %j is %j', (id, expected) => {
  expect(fileOf(id)).toBe(expected)
})
