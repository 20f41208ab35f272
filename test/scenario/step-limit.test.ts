import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startStepLimit } from '../../src/scenario/scenario-input.ts'

test('a step without a limit has none', () => {
  expect(startStepLimit(undefined)).toBeUndefined()
})

test('what is left grows less, but not while the step waits for others', async () => {
  const limit = startStepLimit(10_000)!
  await sleep(60)
  const leftMs = limit.leftMs()
  expect(leftMs).toBeLessThanOrEqual(9_950)
  const atMs = performance.now()
  expect(await limit.without(sleep(100, 'started'))).toBe('started')
  await expect(limit.without(Promise.reject(new Error('no agent')))).rejects.toThrow('no agent')
  // Without those 100 ms, of which a timer may leave one out.
  expect(leftMs - limit.leftMs()).toBeLessThan(performance.now() - atMs - 98)
})
