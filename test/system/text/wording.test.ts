import { expect, test } from 'vitest'
import { parseDuration } from '../../../src/spec/front-matter/value-forms.ts'
import fc from '../../support/fast-check.ts'
import { describeEnd, formatDuration, formatElapsed, plural, type KnownEnd } from '../../../src/system/text/wording.ts'

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

test.for([
  [-5, '0s'],
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m 00s'],
  [3_599_999, '59m 59s'],
  [3_600_000, '1h 00m'],
  [360_059_000, '100h 00m'],
] as const)('after %d ms it says %s', ([elapsedMs, text]) => {
  expect(formatElapsed(elapsedMs)).toBe(text)
})

test('one thing has no s, none has', () => {
  expect([0, 1, 2].map((count) => plural(count, 'step'))).toEqual(['0 steps', '1 step', '2 steps'])
})

test('what it writes is read as the same time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 596 * 3_600_000 }), (durationMs) => {
      expect(parseDuration(formatDuration(durationMs))).toBe(durationMs)
    }),
  )
})

test.each<[KnownEnd, string]>([
  [{ reason: 'exit', exitCode: 0 }, 'ended with exit code 0'],
  [{ reason: 'exit', exitCode: 255 }, 'ended with exit code 255'],
  [{ reason: 'signal', signal: 'SIGKILL' }, 'was ended by SIGKILL'],
  [{ reason: 'hard-timeout', limitMs: 1500 }, 'took longer than 1500 ms and was ended'],
  [{ reason: 'silence-timeout', limitMs: 20 }, 'printed nothing for 20 ms and was ended'],
  [{ reason: 'canceled' }, 'was canceled and ended'],
])('the end %o of a program', (end, words) => {
  expect(describeEnd(end)).toBe(words)
})

test('a limit has the name that the user gave it', () => {
  const end = { reason: 'hard-timeout', limitMs: 5 } as const // a literal reason
  expect(describeEnd(end, 'timeout_ms (5 ms)')).toBe('took longer than timeout_ms (5 ms) and was ended')
})
