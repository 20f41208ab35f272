import { createExpect, expect, test } from 'vitest'
import { SoftFailures } from '../../../src/vitest/private-api/soft-failures.ts'

test('soft assertions of a block leave nothing in the test, whenever they come', async ({ task }) => {
  const failures = new SoftFailures(task)
  const { soft } = createExpect(failures.test)
  soft('tok-1234567890').toBe('another')
  expect(await failures.settle()).toMatchObject([{ message: expect.stringContaining('tok-1234567890') }])
  soft('late').toBe('another')
  expect(await failures.settle()).toHaveLength(2)
  expect(task.result).toMatchObject({ state: 'run' })
  expect(task.result?.errors ?? []).toEqual([])
})

test('they are those of the test in everything else', async ({ task }) => {
  const failures = new SoftFailures(task)
  const blockExpect = createExpect(failures.test)
  expect(blockExpect.getState().currentTestName).toBe(expect.getState().currentTestName)
  blockExpect({ cart: 'mug' }).toMatchInlineSnapshot(`
    {
      "cart": "mug",
    }
  `)
  await blockExpect.poll(() => 1).toBe(1)
  await blockExpect(Promise.resolve(1)).resolves.toBe(1)
  expect(await failures.settle()).toEqual([])
})

test('assertions on promises that nobody waits for fail all the same', async ({ task }) => {
  const failures = new SoftFailures(task)
  const blockExpect = createExpect(failures.test)
  const late = new Promise((resolve) => {
    setTimeout(() => resolve(1), 50)
  })
  void blockExpect(Promise.resolve(1)).resolves.toBe(2)
  void blockExpect(Promise.reject(new Error('no'))).rejects.toThrow('yes')
  void blockExpect(late).resolves.toBe(3)
  void blockExpect.soft(late).resolves.toBe(4)
  void blockExpect(late).resolves.toBe(1)
  // Long enough for the first two to be over.
  await new Promise((resolve) => {
    setTimeout(resolve, 10)
  })
  expect(await failures.settle()).toHaveLength(4)
  expect(task.promises ?? []).toEqual([])
})

test('an assertion on a promise that the code waits for is its own', async ({ task }) => {
  const failures = new SoftFailures(task)
  const { resolves } = createExpect(failures.test)(Promise.resolve(1))
  await expect((async () => resolves.toBe(2))()).rejects.toThrow('expected 1 to be 2')
  await resolves.toBe(3).catch(() => undefined)
  expect(await failures.settle()).toEqual([])
})
