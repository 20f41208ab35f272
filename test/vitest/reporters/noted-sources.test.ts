import { expect, it } from 'vitest'
import type { TestModule } from 'vitest/node'
import { noteInTests } from '../../../src/vitest/plugin/spec-recordings.ts'
import { sourceWord } from '../../../src/records/step-source.ts'
import type { StepMeta } from '../../../src/plan/step-meta.ts'

interface Noted {
  readonly name: string
  readonly meta: { mdtest?: StepMeta }
}

/** A module with these tests, as far as it is asked. */
function moduleOf(tests: readonly Noted[]): TestModule {
  const all = tests.map(({ name, meta }) => ({ name, meta: () => meta, annotations: () => [] }))
  return { children: { allTests: () => all } } as unknown as TestModule // the rest is Vitest's
}

it('tells each test of its own step, whatever others are called', () => {
  const meta = (log: string): Noted['meta'] => ({
    mdtest: { outcome: 'pass', reasons: [], log, source: { kind: 'agent' } },
  })
  const tests = [
    { name: 'Log in', meta: meta('admin.log.md') },
    { name: 'Skipped', meta: {} },
    { name: 'Log in', meta: meta('admin.log.md') },
    { name: 'Log in', meta: meta('guest.log.md') },
  ]
  const source = { kind: 'recorded' as const } // a literal kind
  const noted = [2, 3].map((test) => ({ log: '/project/admin.log.md', steps: [{ title: 'Log in', test, source }] }))
  noteInTests(moduleOf(tests), noted, '/project')
  const words = tests.map(({ meta: { mdtest } }) => mdtest?.source && sourceWord(mdtest.source))
  expect(words).toEqual(['agent', undefined, 'recorded', 'agent'])
})
