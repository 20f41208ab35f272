import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { limitTime } from '../../src/system/slots-and-timers.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const whenAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))

test('a limit is over after its time, also where nobody else holds it', async () => {
  const other = new AbortController()
  const ended = whenAborted(limitTime(60, other.signal).signal)
  const started = performance.now()
  while (performance.now() - started < 40) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(await ended).toMatchObject({ name: 'TimeoutError' })
})

test('another signal ends what is limited', async () => {
  const other = new AbortController()
  using limit = limitTime(60_000, other.signal)
  other.abort('enough')
  expect(limit.signal.reason).toBe('enough')
})

test('a lifted limit is never over', async () => {
  const limit = limitTime(20)
  limit[Symbol.dispose]()
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(limit.signal.aborted).toBe(false)
})

test('one that is longer than a timer can be is not over at once', async () => {
  using limit = limitTime(2 ** 40)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(limit.signal.aborted).toBe(false)
})
