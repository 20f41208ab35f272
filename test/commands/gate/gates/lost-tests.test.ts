import { describe, expect, test } from 'vitest'
import { knownTests, lostTests } from '../../../../src/commands/gate/gates/lost-tests.ts'
import type { GateRun } from '../../../../src/commands/gate/gates/run-gates.ts'

const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }))

/** A green run of the test gate. */
function ran(names: readonly string[], more: Partial<GateRun> & { readonly total?: number } = {}): GateRun {
  const { total, ...rest } = more
  const counts = total === undefined ? null : { total, passed: total, failed: 0, skipped: 0 }
  return {
    ...{ command: 'npm test', isPass: true, exitCode: 0, head: '', tail: '', concerns: [], durationMs: 1 },
    results: { counts, failingTests: [] },
    executed: { tests: named(...names), areAll: true },
    known: named(...names),
    ...rest,
  }
}

const two = ran(['adds', 'doubles'], { total: 2 })
const untold = (total: number): GateRun => ran([], { total, executed: { tests: [], areAll: false } })

test.for<readonly [string, GateRun, GateRun, string | undefined]>([
  ['the same tests', two, two, undefined],
  ['tests of a gate that is red', two, ran([], { total: 0, isPass: false }), undefined],
  ['fewer', two, ran(['adds'], { total: 1 }), 'Of 2 tests only 1 were executed afterwards'],
  [
    'another in the place of one',
    two,
    ran(['adds', 'is there'], { total: 2 }),
    'Tests that were executed before were not executed any more: `doubles`',
  ],
  [
    'others in the place of two',
    two,
    ran(['is there', 'is new'], { total: 2 }),
    'Tests that were executed before were not executed any more: `adds` and 1 more',
  ],
])('%s', ([, before, after, why]) => {
  expect(
    lostTests({ test: before }, { current: { test: after }, areTestsAdded: false, config: { commands: {} } }),
  ).toBe(why)
})

const config = (hasNames: boolean): Parameters<typeof lostTests>[1]['config'] => ({
  commands: { test: { argv: ['make'], shown: 'make', timeoutMs: 1, noOutputTimeoutMs: 1, hasNames } },
})

describe('where no names are told', () => {
  const lost = (after: GateRun, hasNames: boolean, areTestsAdded = false): string | undefined =>
    lostTests({ test: untold(2) }, { current: { test: after }, areTestsAdded, config: config(hasNames) })

  test('the gate is red, with a way out', () => {
    expect(lost(untold(2), true)).toMatch(
      /^The results do not tell all tests .* by their names \(in `mdtest.config.json`/,
    )
  })

  test('numbers decide where a person says so', () => {
    expect(lost(untold(2), false)).toBeUndefined()
    expect(lost(untold(1), false)).toBe('Of 2 tests only 1 were executed afterwards')
    expect(lost(untold(2), false, true)).toBe('Tests were added, and still only 2 were executed')
    expect(lost(untold(3), false, true)).toBeUndefined()
  })
})

test('names are gathered from run to run until one tells all', () => {
  const part = (...names: string[]): GateRun => ran(names, { executed: { tests: named(...names), areAll: false } })
  const first = { ...part('adds'), ...knownTests(part('adds'), undefined) }
  expect(first).toMatchObject({ known: named('adds'), areAllKnown: false })
  const second = { ...two, ...knownTests(two, first) }
  expect(second).toMatchObject({ known: named('adds', 'doubles'), areAllKnown: true })
  expect(knownTests(ran(['adds']), second)).toEqual({ known: named('adds', 'doubles'), areAllKnown: true })
})
