import { expect, test } from 'vitest'
import fc from '../../support/fast-check.ts'
import { createOutputTail } from '../../../src/test-runners/run/start-runner.ts'

test('createOutputTail keeps the end of all lines, but for a character that is cut', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 30 })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 50 }), fc.integer({ min: 1, max: 100 }), (lines, maxBytes) => {
      const tail = createOutputTail(maxBytes)
      for (const each of lines) tail.add(each)
      const whole = Buffer.from(lines.map((each) => `${each}\n`).join(''))
      const kept = Buffer.from(tail.text)
      expect(whole.subarray(whole.length - kept.length).equals(kept)).toBe(true)
      expect(kept.length).toBeLessThanOrEqual(maxBytes)
      expect(kept.length).toBeGreaterThan(Math.min(whole.length, maxBytes) - 4)
    }),
  )
})
