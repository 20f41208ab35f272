import { expect, test } from 'vitest'
import { knownTests, lostTests } from '../../../src/commands/gate/fix-gates.ts'
import type { GateRun } from '../../../src/commands/gate/run-gates.ts'

const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }))

/** A green run of the test gate. */
function ran(names: readonly string[], more: Partial<GateRun> & { readonly total?: number } = {}): GateRun {
  const { total, ...rest } = more
  const counts = total === undefined ? null : { total, passed: total, failed: 0, skipped: 0 }
  return {
    ...{ command: 'npm test', isPass: true, exitCode: 0, head: '', tail: '', concerns: [], durationMs: 1 },
    results: { counts, failingTests: [] },
    executed: { tests: named(...names), areAll: true },
    known: { tests: named(...names), areAll: true },
    ...rest,
  }
}

const two = ran(['adds', 'doubles'], { total: 2 })

test.for<readonly [string, GateRun, GateRun, string | undefined]>([
  ['the same tests', two, two, undefined],
  ['the same but for a failure outside any test', ran(['adds'], { total: 2 }), ran(['adds'], { total: 1 }), undefined],
  ['tests of a gate that is red', two, ran([], { total: 0, isPass: false }), undefined],
  ['fewer', two, ran(['adds'], { total: 1 }), 'Of 2 tests only 1 were executed afterwards'],
])('%s', ([, before, after, why]) => {
  expect(lostTests({ test: before }, { current: { test: after }, areTestsAdded: false })?.words).toBe(why)
})

test('names are gathered from run to run until one tells all', () => {
  const first = knownTests({ tests: named('adds'), areAll: false }, undefined)
  expect(first).toEqual({ tests: named('adds'), areAll: false })
  const second = knownTests(two.executed, first)
  expect(second).toEqual({ tests: named('adds', 'doubles'), areAll: true })
  expect(knownTests({ tests: named('adds'), areAll: true }, second)).toEqual(second)
})
