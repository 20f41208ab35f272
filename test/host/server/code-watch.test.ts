import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { watchCode } from '../../../src/host/server/code-watch.ts'

function watch(ping: () => Promise<void>, limitMs = 20) {
  const stuck: string[] = []
  const code = { file: '/a.test.md', line: 3, limitMs, threadId: 1, pid: 1 }
  const end = watchCode({ ping }, code, { onStuck: ({ file }) => stuck.push(file), answerMs: 60 })
  return { end, stuck }
}

const never = (): Promise<void> => new Promise(() => {})

describe('a watch on code', () => {
  test('finds a worker that does not answer after the limit, once', async () => {
    let pings = 0
    const { stuck } = watch(() => {
      pings += 1
      return never()
    })
    await sleep(50)
    expect([pings, stuck]).toEqual([1, []])
    await sleep(250)
    expect([pings, stuck]).toEqual([1, ['/a.test.md']])
  })

  test('does not ask before the limit', async () => {
    const { stuck, end } = watch(() => expect.unreachable(), 10_000)
    await sleep(150)
    end()
    expect(stuck).toEqual([])
  })

  test('goes on for code that was left behind', async () => {
    let pings = 0
    const { stuck } = watch(() => {
      pings += 1
      return pings < 3 ? Promise.resolve() : never()
    })
    await sleep(120)
    expect(stuck).toEqual([])
    await sleep(300)
    expect([pings, stuck]).toEqual([3, ['/a.test.md']])
  })

  test('ends with a worker that is gone', async () => {
    const { stuck } = watch(() => Promise.reject(new Error('closed')))
    await sleep(150)
    expect(stuck).toEqual([])
  })

  test('ends with the code, also while an answer is due', async () => {
    const before = watch(never)
    before.end()
    let answer = (): void => {}
    const due = watch(() => new Promise((resolve) => (answer = resolve)))
    await sleep(40)
    due.end()
    answer()
    await sleep(250)
    expect([...before.stuck, ...due.stuck]).toEqual([])
  })
})
