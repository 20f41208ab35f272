import { expect, test } from 'vitest'
import { inParallel } from '../../src/system/concurrency.ts'

const turn = () => new Promise((done) => setImmediate(done))

test('gives results in the order of the items, with a bounded number at once', async () => {
  let now = 0
  let most = 0
  const items = Array.from({ length: 100 }, (_, index) => index)
  const results = await inParallel(items, {
    async run(item) {
      most = Math.max(most, (now += 1))
      for (let turns = 0; turns < (item % 7) + 1; turns += 1) await turn()
      now -= 1
      return -item
    },
  })
  expect(results).toEqual(items.map((item) => -item))
  expect(most).toBe(32)
})

test('starts nothing new at the first rejection', async () => {
  const started: number[] = []
  const run = async (item: number): Promise<void> => {
    started.push(item)
    await turn()
    if (item === 3) throw new Error('third')
  }
  await expect(inParallel([...Array(200).keys()], { run })).rejects.toThrow('third')
  const count = started.length
  await turn()
  await turn()
  expect([started.length, count < 100]).toEqual([count, true])
})

test('starts nothing once it is aborted, and nothing where there is nothing', async () => {
  const run = async (): Promise<never> => {
    throw new Error('started')
  }
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(inParallel([1, 2], { run, signal })).rejects.toThrow('enough')
  expect(await inParallel([], { run, signal })).toEqual([])
})
