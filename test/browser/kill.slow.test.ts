import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason } from '../support/browser-project.ts'
import { happensWithin, leftAfter, processesOf } from '../support/leftovers.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

/** A spec of which a browser is open while it waits. */
function blocksSpec(url: string): string {
  const block = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`
  const blocks = [block('browser', 'goto /'), block('sh timeout=2m', 'touch "$TESTROOT/there"; sleep 100')]
  return `---\nagent: none\nbase-url: ${url}\n---\n\n# Blocks\n\n${blocks.join('\n')}`
}

describe.skipIf(skipReason !== '')(`a killed run${skipReason}`, () => {
  test('leaves no browser, no server and no temporary file behind', async () => {
    await using shop = await startShop()
    let isBusy = false
    const script = browse(shopScripts)
    await using browser = await createBrowserProject({
      script(conversation) {
        if (conversation.results.length === 0) return script(conversation)
        isBusy = true
        return { kind: 'silence' }
      },
      files: {
        'cart.test.md': await shopSpec('cart', shop.url),
        'blocks.test.md': blocksSpec(shop.url),
      },
    })
    const { project } = browser
    // By the folder in it the processes of blocks are found: nothing else of theirs names it.
    const env: Record<string, string> = { ...browser.env, PATH: `${process.env.PATH}:${project.dir}` }
    const running = project.start('vitest', ['run'], { env })
    expect(await happensWithin(60_000, () => isBusy && existsSync(project.path('there')))).toBe(true)
    const lines = processesOf(project.dir).map(({ line }) => line)
    for (const part of [
      'chromium',
      '--headless',
      '@playwright/mcp/cli.js',
      'agents/browser/program/main.js',
      'blocks/browser/program/main.js',
      'launcher-main',
    ]) {
      expect(lines).toContainEqual(expect.stringContaining(part))
    }
    if (running.pid !== undefined) process.kill(running.pid, 'SIGKILL') // `kill` of execa takes its time
    await running
    expect(await leftAfter(project.dir, 30_000)).toEqual([])
    expect(readdirSync(env.TMPDIR ?? '')).toEqual([])
  })
})
