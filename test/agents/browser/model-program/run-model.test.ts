import { expect, test } from 'vitest'
import { Failures } from '../../../../src/agents/browser/model-program/run-model.ts'

const failed = { isError: true, text: 'Not there.' }
const done = { isError: false, text: '' }
const action = { kind: 'browser', name: 'browser_click' } as const // a literal kind
const report = { kind: 'mcp', name: 'report_step' } as const // the same

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
  expect(failures.take(report, failed)).toBeUndefined()
  expect(failures.refusals).toEqual(['Not there.'])
  expect(failures.isVerdictDue).toBe(true)
  failures.take(report, done)
  expect(failures.isVerdictDue).toBe(false)
})

test('calls that cannot be carried out count as failed, and ten in vain are the end', () => {
  const failures = new Failures()
  for (let count = 0; count < 5; count += 1) failures.takeInvalid('look')
  expect([failures.isVerdictDue, failures.isHopeless, failures.lastInvalid]).toEqual([true, false, 'look'])
  for (let count = 0; count < 5; count += 1) failures.take(report, failed)
  expect(failures.isHopeless).toBe(true)
})
