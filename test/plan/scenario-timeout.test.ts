import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withinDeadline } from '../../src/plan/scenario-timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const forever = (): Promise<never> => new Promise(() => {})

test('gives what the work gives, and leaves no timer', async () => {
  await expect(withinDeadline({ limitMs: 5_000, isWaiting: () => false }, async () => 'done')).resolves.toBe('done')
  await expect(
    withinDeadline({ limitMs: 5_000, isWaiting: () => false }, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})

test('aborts after its limit, without the time in which the work waits, and gives up 30 s later', async () => {
  let isWaiting = true
  let signal: AbortSignal | undefined
  const ending = withinDeadline({ limitMs: 5_000, isWaiting: () => isWaiting }, (given) => {
    signal = given
    return forever()
  }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(signal?.aborted).toBe(false)
  isWaiting = false
  await vi.advanceTimersByTimeAsync(4_500)
  expect(signal?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(signal?.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await ending).toMatchObject({ code: 'HOST_TIMEOUT' })
})
