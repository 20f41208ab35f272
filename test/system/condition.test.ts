import { expect, test } from 'vitest'
import { Condition } from '../../src/system/slots-and-timers.ts'

test('gives what is there at once', async () => {
  expect(await new Condition().waitFor(() => 'there', 0)).toBe('there')
})

test('gives it to all who wait once it is there, and not before', async () => {
  const condition = new Condition()
  let count = 0
  const found: number[] = []
  const waits = [2, 1].map((wanted) =>
    condition
      .waitFor(() => (count >= wanted ? count : undefined))
      .then((value) => {
        found.push(value)
      }),
  )
  condition.notify()
  count = 1
  condition.notify()
  await waits[1]
  expect(found).toEqual([1])
  count = 2
  condition.notify()
  await Promise.all(waits)
  expect(found).toEqual([1, 2])
})

test('gives nothing after the limit, and looks no more', async () => {
  const condition = new Condition()
  let looks = 0
  const found = await condition.waitFor(() => {
    looks += 1
    return undefined
  }, 20)
  expect(found).toBeUndefined()
  const before = looks
  condition.notify()
  expect(looks).toBe(before)
})
