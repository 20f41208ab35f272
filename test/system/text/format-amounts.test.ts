import { expect, test } from 'vitest'
import { formatDuration } from '../../../src/system/text/format-amounts.ts'
import { parseDuration } from '../../../src/spec/front-matter/parse-duration.ts'
import fc from '../../support/fast-check.ts'

test.for([
  [1, '1ms'],
  [1500, '1500ms'],
  [30_000, '30s'],
  [90_000, '90s'],
  [600_000, '10m'],
  [7_200_000, '2h'],
] as const)('writes %d ms as %s', ([durationMs, text]) => {
  expect(formatDuration(durationMs)).toBe(text)
})

test('what it writes is read as the same time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 596 * 3_600_000 }), (durationMs) => {
      expect(parseDuration(formatDuration(durationMs))).toBe(durationMs)
    }),
  )
})
