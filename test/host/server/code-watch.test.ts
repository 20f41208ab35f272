import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchCode } from '../../../src/host/server/host.ts'

// A watch does nothing but wait: its clock is ours.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(ping: () => Promise<void>, limitMs = 20) {
  const stuck: string[] = []
  const code = { file: '/a.test.md', line: 3, limitMs, threadId: 1, pid: 1 }
  const end = watchCode({ ping }, code, { onStuck: ({ file }) => stuck.push(file), answerMs: 60 })
  return { end, stuck }
}

const never = (): Promise<void> => new Promise(() => {})

describe('a watch on code', () => {
  test('finds a worker that does not answer after the limit, once', async () => {
    const ping = vi.fn(never)
    const { stuck } = watch(ping)
    await vi.advanceTimersByTimeAsync(19)
    expect([ping.mock.calls.length, stuck]).toEqual([0, []])
    await vi.advanceTimersByTimeAsync(60)
    expect([ping.mock.calls.length, stuck]).toEqual([1, []])
    await vi.advanceTimersByTimeAsync(1_000)
    expect([ping.mock.calls.length, stuck]).toEqual([1, ['/a.test.md']])
  })

  test('goes on for code that was left behind', async () => {
    let pings = 0
    const { stuck } = watch(() => (++pings < 3 ? Promise.resolve() : never()))
    await vi.advanceTimersByTimeAsync(20 + 60 + 60 + 59)
    expect([pings, stuck]).toEqual([3, []])
    await vi.advanceTimersByTimeAsync(1)
    expect([pings, stuck]).toEqual([3, ['/a.test.md']])
  })

  test('ends with a worker that is gone, and with the code, also while an answer is due', async () => {
    const gone = watch(() => Promise.reject(new Error('closed')))
    const before = watch(never)
    before.end()
    let answer = (): void => {}
    const due = watch(() => new Promise((resolve) => (answer = resolve)))
    await vi.advanceTimersByTimeAsync(40)
    due.end()
    answer()
    await vi.advanceTimersByTimeAsync(1_000)
    expect([...gone.stuck, ...before.stuck, ...due.stuck]).toEqual([])
  })
})
