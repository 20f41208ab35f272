import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStillScreen } from '../../../src/system/terminal/still-screen.ts'

test('words that change are a change; the same again, colors and the cursor are none', async () => {
  const screen = createStillScreen()
  screen.begin({ cols: 40, rows: 10 })
  screen.watch()
  /** Whether it changes by that; what does not is given some time for it. */
  const changes = async (text: string): Promise<boolean> => {
    const atMs = performance.now()
    screen.write(Buffer.from(text))
    for (let looks = 0; looks < 10; looks += 1) {
      await sleep(5)
      if (screen.stillMs < performance.now() - atMs) return true
    }
    return false
  }
  const working = '\u001b[2;1HWorking (2s)'
  // Until the emulator is loaded all output is a change.
  await expect.poll(() => changes(working), { timeout: 60_000 }).toBe(false)
  await expect.poll(() => changes(`\u001b[2;1HWorking (${Date.now()}s)`), { timeout: 60_000 }).toBe(true)
  await changes(working)
  for (const same of [working, '\u001b[2;1H\u001b[31mWorking\u001b[0m (2s)\u001b[9;3H', '\u001b[?25l\u001b]0;t\u0007'])
    expect([same, await changes(same)]).toEqual([same, false])
  const atMs = performance.now()
  screen.resize({ cols: 50, rows: 10 })
  expect(screen.stillMs).toBeLessThanOrEqual(performance.now() - atMs)
  screen.close()
})

test('before it is watched, and without an emulator, all output is a change', async () => {
  const screen = createStillScreen()
  await sleep(50)
  expect(screen.stillMs).toBeGreaterThan(40)
  const atMs = performance.now()
  screen.write(Buffer.from('\u001b[31m'))
  expect(screen.stillMs).toBeLessThanOrEqual(performance.now() - atMs)
  screen.close()
})
