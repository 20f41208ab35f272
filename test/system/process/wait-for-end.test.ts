import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { waitForEnd } from '../../../src/system/process/wait-for-end.ts'

test('the first reason counts, whatever comes after it', async () => {
  const race = waitForEnd({ hardTimeoutMs: 60_000 })
  race.settle({ reason: 'exit', exitCode: 3 })
  race.settle({ reason: 'canceled' })
  expect(await race.first).toEqual({ reason: 'exit', exitCode: 3 })
})

test.each([
  [{ hardTimeoutMs: 20 }, { reason: 'hard-timeout', limitMs: 20 }],
  [
    { hardTimeoutMs: 0, silenceTimeoutMs: 60_000 },
    { reason: 'hard-timeout', limitMs: 0 },
  ],
  [
    { hardTimeoutMs: 60_000, silenceTimeoutMs: 20 },
    { reason: 'silence-timeout', limitMs: 20 },
  ],
  // Longer than a timer of Node can be, which would fire at once.
  [
    { hardTimeoutMs: 2 ** 40, silenceTimeoutMs: 20 },
    { reason: 'silence-timeout', limitMs: 20 },
  ],
  [
    { hardTimeoutMs: 20, silenceTimeoutMs: 2 ** 40 },
    { reason: 'hard-timeout', limitMs: 20 },
  ],
  [{ hardTimeoutMs: 60_000, signal: AbortSignal.abort() }, { reason: 'canceled' }],
  [{ hardTimeoutMs: 60_000, signal: AbortSignal.timeout(10) }, { reason: 'canceled' }],
] as const)('%j end a command with %j', async (limits, end) => {
  expect(await waitForEnd(limits).first).toEqual(end)
})

test('a sign of life moves the limit of silence', async () => {
  const startMs = performance.now()
  const race = waitForEnd({ hardTimeoutMs: 60_000, silenceTimeoutMs: 60 })
  setTimeout(() => race.touch(), 40)
  await race.first
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(98)
})

test.each([{ hardTimeoutMs: 40 }, { hardTimeoutMs: 60_000, silenceTimeoutMs: 40 }])(
  'while it is paused no limit of %j comes nearer',
  async (limits) => {
    const startMs = performance.now()
    const race = waitForEnd(limits)
    race.pause()
    race.pause()
    await sleep(80)
    race.resume()
    race.resume()
    await race.first
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(118)
  },
)

test.each([new Error('broken'), undefined])(
  'a callback that throws %j is the last, and is heard of',
  async (thrown) => {
    const race = waitForEnd({ hardTimeoutMs: 60_000 })
    const called: string[] = []
    race.guard(() => called.push('one'))
    expect(() => race.rethrow()).not.toThrow()
    race.guard(() => {
      throw thrown
    })
    race.guard(() => called.push('three'))
    expect(await race.first).toEqual({ reason: 'canceled' })
    expect(called).toEqual(['one'])
    const heard: unknown[] = []
    try {
      race.rethrow()
    } catch (error: unknown) {
      heard.push(error)
    }
    expect(heard).toEqual([thrown])
  },
)
