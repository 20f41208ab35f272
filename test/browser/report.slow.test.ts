import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { followLinks } from '../support/follow-links.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShops } from '../support/start-shop.ts'

describe.skipIf(skipReason !== '')(`the report of browser specs${skipReason}`, () => {
  test('is one for all shards once their results and logs are in one place, and leads to all that was kept', async () => {
    await using shops = await startShops(['right', 'quantity-forgotten'])
    await using browser = await createBrowserProject({
      script: browse(shopScripts),
      options: { reportDir: 'reports/specs' },
      test: { reporters: ['default', 'vitest-mdtest/reporter'] },
      files: {
        'account.test.md': await shopSpec('account', shops.urlOf('right')),
        'cart.test.md': await shopSpec('cart', shops.urlOf('quantity-forgotten')),
      },
    })
    const { project, env } = browser
    const shards = ['1', '2'].map((shard) =>
      project.vitest(['run', `--shard=${shard}/2`, '--reporter=blob', `--outputFile.blob=blobs/${shard}.json`], {
        env,
        timeoutMs,
      }),
    )
    const ended = await Promise.all(shards)
    expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1])
    const merged = await project.vitest(['--merge-reports=blobs'], { env })
    expect(merged.all).toContain('report: reports/specs/index.html')

    const page = await project.read('reports/specs/summary.js')
    expect(JSON.parse(page.replace(/^var mdtestSummary=/, ''))).toMatchObject({
      subject: {
        baseUrls: [shops.urlOf('quantity-forgotten'), shops.urlOf('right')].toSorted(),
        agents: ['browser'],
        models: ['gpt-5.2'],
      },
      specs: [{ findings: { consoleErrors: 1, failedRequests: 1 } }, {}],
    })
    const { links, broken } = await followLinks(project.path('reports/specs'))
    expect(broken).toEqual([])
    const ofRun = expect.arrayContaining(['result log', 'journal', 'agent output'])
    expect(links).toEqual({
      // Only there the page had something to say on its console.
      'Account > 1-a-wrong-password-is-refused': ['Screenshot: A wrong password is refused', 'console', 'network'],
      'Account > 2-log-in': ['Screenshot: Log in', 'network'],
      'Account > 3-log-out': ['Screenshot: Log out', 'network'],
      'Account > run': ofRun,
      'Cart > 1-put-a-mug-into-the-cart': ['Screenshot: Put a mug into the cart', 'network'],
      'Cart > 2-change-the-quantity': ['Screenshot: Change the quantity', 'network'],
      'Cart > run': ofRun,
    })
  })
})
