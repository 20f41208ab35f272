import { expect, test } from 'vitest'
import { contestedReports } from '../../../src/host/reports/contested-reports.ts'
import type { StepReport, StepResult } from '../../../src/records/result-log/result-log.ts'

const at = '2026-02-10T14:30:00.000Z'
const report = (id: string, status: StepResult['status'], ...checks: StepResult['status'][]): StepReport => ({
  id,
  status,
  at,
  ...(checks.length > 0 && { checks: checks.map((each, index) => ({ n: index + 1, status: each })) }),
})
const accepted = [report('1-a', 'pass', 'pass')]

test.for<[string, StepReport, boolean]>([
  ['the same again', report('1-a', 'pass', 'pass'), false],
  ['the same without its checks', report('1-a', 'pass'), false],
  ['another status', report('1-a', 'fail'), true],
  ['another result of a check', report('1-a', 'pass', 'fail'), true],
  ['one more check that passed', report('1-a', 'pass', 'pass', 'pass'), false],
  ['one more check that failed', report('1-a', 'pass', 'pass', 'fail'), true],
  ['a step that was never taken, which must not stand in for it', report('2-b', 'pass'), false],
  ['a failure of a step that was never taken', report('2-b', 'fail'), false],
  ['an unknown step that passed', report('x', 'pass'), false],
  ['an unknown step that failed', report('x', 'fail'), true],
])('%s', ([, refused, isContested]) => {
  expect(contestedReports(accepted, [refused], ['1-a', '2-b'])).toEqual(isContested ? [refused] : [])
})
