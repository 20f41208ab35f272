import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { happensWithin } from '../support/leftovers.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { displayUnavailable, startDisplay } from '../support/start-display.ts'
import { startShop } from '../support/start-shop.ts'

const reason =
  skipReason || (displayUnavailable === undefined ? '' : ` (skipped: no \`${displayUnavailable}\` on PATH)`)

describe.skipIf(reason !== '')(`\`--headed\`${reason}`, () => {
  test('shows the browser on the screen that there is, and says what is wrong with one that is not', async () => {
    await using shop = await startShop()
    await using display = await startDisplay()
    const seen = new Set<string>()
    const script = browse(shopScripts)
    await using browser = await createBrowserProject({
      async script(conversation) {
        const [, title] = /Page Title: ([ -~]+)/.exec(conversation.results.at(-1)?.text ?? '') ?? []
        const isShown = (): boolean => display.windows().some((window) => window.startsWith(title ?? ''))
        if (title !== undefined && (await happensWithin(20_000, isShown))) seen.add(title.trim())
        return script(conversation)
      },
      files: { 'catalogue.test.md': await shopSpec('catalogue', shop.url) },
    })
    const { project, env } = browser
    const run = (name: string) => project.mdtest(['run', '--headed'], { env: { ...env, DISPLAY: name }, timeoutMs })
    expect(display.windows()).toEqual([])
    const shown = await run(display.name)
    expect(shown.exitCode, shown.all).toBe(0)
    expect(seen).toEqual(new Set(['Our products', 'Search', 'Gold spoon']))
    const nowhere = await run(':4242')
    expect([nowhere.exitCode, nowhere.stdout]).toEqual([2, ''])
    expect(nowhere.stderr).toMatch(
      /^mdtest: The display `:4242`, which `DISPLAY` names, cannot be reached\. Leave out `--headed`.*$/,
    )
  })
})
