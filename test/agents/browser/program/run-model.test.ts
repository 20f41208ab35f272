import { expect, test } from 'vitest'
import { Failures } from '../../../../src/agents/browser/program/run-model.ts'

const failed = { isError: true }
const action = { kind: 'browser' } as const // a literal kind

test('three failed actions in a row give a hint, five a demand for a verdict, and a good one begins anew', () => {
  const failures = new Failures()
  const take = (): string | undefined => failures.take(action, failed)
  expect([take(), take()]).toEqual([undefined, undefined])
  expect(take()).toMatch(/^3 actions in a row have failed/)
  expect(take()).toBeUndefined()
  expect(failures.isVerdictDue).toBe(false)
  expect(take()).toMatch(/^5 actions in a row have failed. Report the step now/)
  expect(failures.isVerdictDue).toBe(true)
  // A report that is refused is no action.
  expect(failures.take({ kind: 'mcp' }, failed)).toBeUndefined()
  expect(failures.isVerdictDue).toBe(true)
  failures.take({ kind: 'mcp' }, { isError: false })
  expect(failures.isVerdictDue).toBe(false)
})
