import { expect, test } from 'vitest'
import fc from '../support/fast-check.ts'
import { Slots } from '../../src/system/slots-and-timers.ts'

const never = new AbortController().signal

/** Lets everything that can go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('gives slots in the order in which they were asked for', async () => {
  const slots = new Slots(1)
  const got: number[] = []
  const takes = [1, 2, 3].map(async (number) => {
    const giveBack = await slots.take(never)
    got.push(number)
    return giveBack
  })
  await settle()
  expect(got).toEqual([1])
  const [first] = takes
  const giveBack = await first
  giveBack?.()
  giveBack?.()
  await settle()
  expect(got).toEqual([1, 2])
})

test('never lets in more than it has, and everybody in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ turns: fc.nat({ max: 5 }), leavesAfter: fc.option(fc.nat({ max: 5 })) }), { maxLength: 20 }),
      async (count, visits) => {
        const slots = new Slots(count)
        let inside = 0
        let most = 0
        await Promise.all(
          visits.map(async ({ turns, leavesAfter }) => {
            const stop = new AbortController()
            if (leavesAfter !== null) void passTurns(leavesAfter).then(() => stop.abort())
            let isIn = false
            const taking = slots.take(stop.signal)
            const giveBack = await taking
            isIn = !stop.signal.aborted
            if (isIn) most = Math.max(most, (inside += 1))
            await passTurns(turns)
            if (isIn) inside -= 1
            giveBack()
          }),
        )
        expect(most).toBeLessThanOrEqual(count)
        const all = await Promise.all(Array.from({ length: count }, () => slots.take(never)))
        expect(all).toHaveLength(count)
      },
    ),
  )
})

async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await settle()
}
