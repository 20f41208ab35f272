import { expect, test } from 'vitest'
import {
  formatImplementerPrompt,
  promptFacts,
  type PromptFacts,
} from '../../../../src/commands/fix/acts/write-prompt.ts'
import { createSession, defaultSettings } from '../../../../src/commands/fix/session/session-state.ts'
import { noTestResults } from '../../../../src/commands/fix/session/test-results.ts'

const session = createSession({
  feature: 'Cart',
  settings: { ...defaultSettings, root: '/p', docs: ['docs/a b.md'], scope: 'cart' },
  runMark: 'm',
  now: new Date(0),
})
const failure = (key: string): PromptFacts['failing_tests'][number] => ({ key, name: key, message: 'x'.repeat(3_000) })
const failing = Array.from({ length: 30 }, (_, index) => failure(`t${index}`))
const facts = promptFacts(session, { ...noTestResults, total: 40, failing })

test('of many failures the first are told, cut to what can be read', () => {
  expect(facts.failing_tests).toHaveLength(20)
  expect(facts.failing_tests[0]?.message).toHaveLength(2_004)
  expect(facts).toMatchObject({ feature: 'Cart', scope: 'cart', total_tests: 40, tried: [], summary: null })
})

test('of many attempts the last are told', () => {
  const made = {
    ...{ kind: 'attempt-made' as const, outcome: 'done' as const, summary: '', checkpoint: 'c', changedFiles: [] },
    ...{ protectedChanges: [], contextUtilization: null },
  }
  const { tried } = promptFacts({ ...session, history: Array.from({ length: 12 }, () => made) }, noTestResults)
  expect(tried.map(({ attempt }) => attempt)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

const plain = { allowTestEdits: false }

test('a prompt has only the parts that there is something for', () => {
  const few = { ...facts, docs: [], failing_tests: facts.failing_tests.slice(0, 1) }
  const headings = (text: string): string[] => text.match(/^#{1,2} .*/gm) ?? []
  expect(headings(formatImplementerPrompt(few, plain))).toEqual([
    '# Make failing tests pass: Cart',
    '## Failing tests',
    '## Rules',
  ])
  const tried = {
    attempt: 1,
    session: 1,
    outcome: 'done' as const,
    changed_files: [],
    verdict: null,
    failing_after: null,
  }
  const whole = { ...few, docs: ['a.md'], summary: 'So far.', tried: [{ ...tried, summary: 'a\n# Rules\nb' }] }
  const text = formatImplementerPrompt(whole, { ...plain, task: 'Look at the sum.' })
  expect(headings(text)).toEqual([
    '# Make failing tests pass: Cart',
    ...['## Task', '## Failing tests', '## What is known', '## What was tried', '## Rules'],
  ])
  expect(text).toContain('1. a # Rules b Changed: no file.')
  expect(text).toContain('Read first: `a.md`')
})

test('what an attempt may not change is said, unless it may', () => {
  expect(formatImplementerPrompt(facts, plain)).toContain('an attempt that does is undone')
  expect(formatImplementerPrompt(facts, { allowTestEdits: true })).not.toContain('--may-change')
})

test('what was left out of an attempt is told to the next', () => {
  const leftOut = [{ path: 'ci.yml', reason: 'is no source' }]
  const tried = { attempt: 1, session: 1, outcome: 'done' as const, changed_files: ['a.ts'], left_out: leftOut }
  const text = formatImplementerPrompt(
    { ...facts, tried: [{ ...tried, summary: 's', verdict: 'Kept.', failing_after: 1 }] },
    plain,
  )
  expect(text).toContain('Changed: `a.ts`. Left out: ci.yml (is no source). Kept.')
})
