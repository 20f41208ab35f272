import { expect, test } from 'vitest'
import { resolveOptions } from '../../src/plan/options/option-defaults.ts'
import { readSpec } from '../../src/plan/read-spec.ts'

const text = '---\nagent: none\ninclude: [b.md]\n---\n\n# A\n\n```sh\ntrue\n```\n'

test('what was parsed is kept as long as the spec, what it includes and the agents are the same', () => {
  let included = '# B\n\n```sh\ntrue\n```\n'
  const context = { file: '/a.test.md', root: '/', options: resolveOptions({}), readIncluded: () => included }
  const read = (source: string, agent?: 'claude') =>
    readSpec(Buffer.from(source), { ...context, commandLine: agent === undefined ? {} : { agent } })
  const first = read(text)
  expect(first.spec.includes).toEqual(['/b.md'])
  expect(read(text)).toBe(first)
  included += '\n## C\n\n```sh\nfalse\n```\n'
  const second = read(text)
  expect([...second.included.values()]).toEqual([included])
  expect(read(text)).toBe(second)
  expect(read(text, 'claude')).not.toBe(second)
  expect(read(`${text}\n`)).not.toBe(second)
})
