import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startStepLimit } from '../../src/scenario/step-limit.ts'

test('a step without a limit has none', () => {
  expect(startStepLimit(undefined)).toBeUndefined()
})

test('what is left grows less, but not while the step waits for others', async () => {
  const limit = startStepLimit(10_000)!
  await sleep(60)
  const leftMs = limit.leftMs()
  expect(leftMs).toBeLessThanOrEqual(9_950)
  expect(await limit.without(sleep(300, 'started'))).toBe('started')
  await expect(limit.without(Promise.reject(new Error('no agent')))).rejects.toThrow('no agent')
  expect(limit.leftMs()).toBeGreaterThan(leftMs - 150)
})
