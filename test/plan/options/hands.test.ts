import { expect, test } from 'vitest'
import type { Options } from '../../../src/plan/options/options.ts'
import { resolveOptions } from '../../../src/plan/options/resolve-options.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

/** A bad value of `executor`, and which word is proposed. */
const bad: readonly (readonly [value: unknown, proposal: string | undefined])[] = [
  ['mdtests', 'mdtest'],
  ['own', undefined],
  [true, undefined],
  [['mdtest'], undefined],
  [{ mode: 'agnet' }, 'agent'],
  [{ sandbox: 'requires' }, 'require'],
  [{ mode: 'mdtest', sanbox: 'off' }, 'sandbox'],
  [{ sandbox: true }, undefined],
]

test.each(bad)('%j is no value of `executor`', (value, proposal) => {
  const hint = proposal === undefined ? '' : ` Did you mean \`${proposal}\`?`
  const json = JSON.stringify(value)
  const words = "'agent', 'mdtest' or { mode: one of these, sandbox: 'require', 'auto' or 'off' }"
  // Wrong on purpose.
  expect(() => resolveOptions({ executor: value } as unknown as Options)).toThrow(
    `mdtest(): Expected \`executor\` to be ${words}, got \`${json}\` (${typeof value}).${hint}`,
  )
  const text = `---\nhands: ${json}\n---\n\n# S\n\nTry it.\n`
  const { problems } = parseSpec(text, { file: '/s.test.md', agentDefault: 'claude' })
  expect(problems).toMatchObject([{ ruleId: 'front-matter-bad-value', line: 2 }])
  expect(problems[0]?.message.replace(/^.*\)\./, '')).toBe(hint)
})
