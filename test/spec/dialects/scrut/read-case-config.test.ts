import { expect, test } from 'vitest'
import { parseScrutDuration } from '../../../../src/spec/dialects/scrut/read-case-config.ts'

test.each([
  ['500ms', 500],
  ['5s', 5000],
  ['1m 30s', 90_000],
  ['1h2min 3 sec', 3_723_000],
  ['0s', 0],
  ['', undefined],
  ['5', undefined],
  ['5 parsecs', undefined],
  ['1.5s', undefined],
  ['600h', undefined],
])('%j is %s ms', (text, durationMs) => {
  expect(parseScrutDuration(text)).toBe(durationMs)
})
