import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { hideChrome } from '../support/hide-chrome.ts'
import { happensWithin, leftAfter } from '../support/leftovers.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startDownloads } from '../support/start-downloads.ts'
import { startShop } from '../support/start-shop.ts'

describe.skipIf(skipReason !== '')(`where the system has no Chrome${skipReason}`, () => {
  test('Playwright installs its own before anything starts; a failure ends the run, and an end of the run ends it', async () => {
    await using shop = await startShop()
    await using downloads = await startDownloads()
    await using browser = await createBrowserProject({
      script: browse(shopScripts),
      files: { 'catalogue.test.md': await shopSpec('catalogue', shop.url) },
    })
    const { project, model } = browser
    const env = {
      ...browser.env,
      NODE_OPTIONS: `--import=${hideChrome()}`,
      PLAYWRIGHT_DOWNLOAD_HOST: downloads.url,
      PLAYWRIGHT_BROWSERS_PATH: project.path('browsers'),
      // The downloads are not fetched by way of the model.
      NO_PROXY: '127.0.0.1',
    }
    const refused = await project.mdtest(['run'], { env, timeoutMs })
    expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr.split('\n')).toEqual([
      expect.stringContaining("Playwright's is installed now"),
      expect.stringMatching(
        /^mdtest: There is no Chrome or Chromium, and Playwright could not install one \(Download failed: server returned code 404\. URL: \S+\.zip\)\. Install Chrome or Chromium, or run `npx playwright install chromium`\.$/,
      ),
    ])
    expect(model.conversations).toEqual([])

    downloads.fallSilent()
    const asked = downloads.requests.length
    const running = project.start('mdtest', ['run'], { env })
    expect(await happensWithin(60_000, () => downloads.requests.length > asked)).toBe(true)
    if (running.pid !== undefined) process.kill(running.pid, 'SIGTERM')
    expect((await running).exitCode).not.toBe(0)
    expect(await leftAfter(project.dir, 20_000)).toEqual([])

    downloads.stock()
    const { exitCode, all } = await project.mdtest(['run'], { env, timeoutMs })
    expect(exitCode, all).toBe(0)
    expect(all).toContain('2 passed')
  })
})
