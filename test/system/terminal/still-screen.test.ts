import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStillScreen, type StillScreen } from '../../../src/system/terminal/still-screen.ts'

async function open(): Promise<{ readonly screen: StillScreen; show(text: string): Promise<number> }> {
  const screen = createStillScreen()
  screen.begin({ cols: 40, rows: 10 }, 'xterm')
  screen.watch()
  // The emulator is loaded.
  await sleep(500)
  return {
    screen,
    async show(text) {
      await sleep(30)
      const atMs = performance.now()
      screen.write(Buffer.from(text))
      await sleep(20)
      // 0: it changed; else it did not.
      return screen.stillMs < performance.now() - atMs + 5 ? 0 : screen.stillMs
    },
  }
}

test('words that change are a change; the same again, colors and the cursor are none', async () => {
  const { screen, show } = await open()
  expect(await show('\u001b[2;1HWorking (1s)')).toBe(0)
  expect(await show('\u001b[2;1HWorking (2s)')).toBe(0)
  expect(await show('\u001b[2;1HWorking (2s)')).toBeGreaterThan(0)
  expect(await show('\u001b[2;1H\u001b[31mWorking\u001b[0m (2s)\u001b[9;3H')).toBeGreaterThan(0)
  expect(await show('\u001b[?25l\u001b]0;title\u0007')).toBeGreaterThan(0)
  expect(await show('\u001b[2J')).toBe(0)
  screen.resize({ cols: 50, rows: 10 })
  expect(screen.stillMs).toBeLessThan(20)
  screen.close()
})

test('before it is watched, and without an emulator, all output is a change', async () => {
  const screen = createStillScreen()
  await sleep(50)
  expect(screen.stillMs).toBeGreaterThan(40)
  screen.write(Buffer.from('\u001b[31m'))
  expect(screen.stillMs).toBeLessThan(20)
  screen.close()
})
