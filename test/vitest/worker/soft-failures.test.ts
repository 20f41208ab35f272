import { createExpect, expect, test } from 'vitest'
import { openSoftFailures } from '../../../src/vitest/worker/soft-failures.ts'

test('soft assertions of a block leave nothing in the test, whenever they come', ({ task }) => {
  const failures = openSoftFailures(task)
  const { soft } = createExpect(failures.test)
  soft('tok-1234567890').toBe('another')
  expect(failures.take()).toMatchObject([{ message: expect.stringContaining('tok-1234567890') }])
  soft('late').toBe('another')
  expect(failures.take()).toHaveLength(2)
  expect(task.result).toMatchObject({ state: 'run' })
  expect(task.result?.errors ?? []).toEqual([])
})

test('they are those of the test in everything else', async ({ task }) => {
  const failures = openSoftFailures(task)
  const blockExpect = createExpect(failures.test)
  expect(blockExpect.getState().currentTestName).toBe(expect.getState().currentTestName)
  blockExpect({ cart: 'mug' }).toMatchInlineSnapshot(`
    {
      "cart": "mug",
    }
  `)
  await blockExpect.poll(() => 1).toBe(1)
  await blockExpect(Promise.resolve(1)).resolves.toBe(1)
  expect(failures.take()).toEqual([])
})
