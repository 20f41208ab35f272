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
    known: named(...names),
    ...rest,
  }
}

const two = ran(['adds', 'doubles'], { total: 2 })

test.for<readonly [string, GateRun, GateRun, string | undefined]>([
  ['the same tests', two, two, undefined],
  ['tests of a gate that is red', two, ran([], { total: 0, isPass: false }), undefined],
  ['fewer', two, ran(['adds'], { total: 1 }), 'Of 2 tests only 1 were executed afterwards'],
])('%s', ([, before, after, why]) => {
  expect(lostTests({ test: before }, { current: { test: after }, areTestsAdded: false })?.words).toBe(why)
})

test('names are gathered from run to run until one tells all', () => {
  const part = (...names: string[]): GateRun => ran(names, { executed: { tests: named(...names), areAll: false } })
  const first = { ...part('adds'), ...knownTests(part('adds'), undefined) }
  expect(first).toMatchObject({ known: named('adds'), areAllKnown: false })
  const second = { ...two, ...knownTests(two, first) }
  expect(second).toMatchObject({ known: named('adds', 'doubles'), areAllKnown: true })
  expect(knownTests(ran(['adds']), second)).toEqual({ known: named('adds', 'doubles'), areAllKnown: true })
})
