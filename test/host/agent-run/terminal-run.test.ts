import { expect, test } from 'vitest'
import { isComplete } from '../../../src/host/agent-run/terminal-run.ts'
import type { LogReading, ResultLog } from '../../../src/records/result-log/result-log.ts'

const asked = { runId: 'r', steps: [{ id: '1-a' }, { id: '2-b' }] }
const log = (more: Partial<ResultLog>): LogReading => ({
  ok: true,
  log: { status: 'pass', run: 'r', ...more },
  body: '',
  modifiedAtMs: 0,
})
const passed = (...ids: readonly string[]): ResultLog['steps'] => ids.map((id) => ({ id, status: 'pass' }))

test.for<readonly [string, LogReading, boolean]>([
  ['tells of every step', log({ steps: passed('2-b', '1-a') }), true],
  ['tells of all at once', log({}), true],
  ['failed at the first', log({ status: 'fail', steps: [{ id: '1-a', status: 'fail' }] }), true],
  ['lacks a step', log({ steps: passed('1-a') }), false],
  ['is of another run', log({ run: 'x' }), false],
  ['is of no run', log({ run: undefined }), false],
  ['is none', { ok: false, code: 'LOG_MISSING', message: '' }, false],
])('a log that %s', ([, reading, expected]) => {
  expect(isComplete(reading, asked)).toBe(expected)
})
