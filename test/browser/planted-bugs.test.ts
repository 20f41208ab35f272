import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason } from '../support/browser-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShops } from '../support/start-shop.ts'

const passed = 'pass observed'
const found = 'fail STEP_FAILED CHECK_FAILED'
const after = 'skipped PREDECESSOR_FAILED'

/** What each spec says of the right shop, and of a shop with one bug. The model's script is the same. */
const verdicts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cart: {
    right: [passed, passed, passed, passed],
    'quantity-forgotten': [passed, found, after, after],
    'wrong-total': [passed, passed, found, after],
    'coupon-ignored': [passed, passed, passed, found],
  },
  account: {
    right: [passed, passed, passed],
    'any-password': [found, after, after],
  },
  catalogue: {
    right: [passed, passed],
    'search-misses': [`${found} CHECK_FAILED`, after],
    'sold-out-orderable': [passed, `${found} CHECK_FAILED`],
  },
  checkout: {
    right: [passed, passed, passed, passed],
    'wrong-mail': [passed, passed, found, after],
    'order-lost': [passed, passed, passed, found],
  },
}

const runs = Object.entries(verdicts).flatMap(([spec, byShop]) =>
  Object.entries(byShop).map(([bug, expected]) => ({ spec, bug, file: `${spec}.${bug}.test.md`, expected })),
)

describe.skipIf(skipReason !== '')(`planted bugs${skipReason}`, () => {
  test('the same script passes on the right shop and finds each bug in the step that it breaks', async () => {
    await using shops = await startShops([...new Set(runs.map(({ bug }) => bug))])
    const files: Record<string, string> = {}
    for (const { spec, bug, file } of runs) files[file] = await shopSpec(spec, shops.urlOf(bug))
    await using browser = await createBrowserProject({ script: browse(shopScripts), files })
    const { stdout, all } = await browser.project.vitest(['run', '--reporter=json'], { env: browser.env })
    const said = runs.map(({ file }) => [file, verdictsOf(stdout, file)])
    expect(Object.fromEntries(said), all).toEqual(
      Object.fromEntries(runs.map(({ file, expected }) => [file, expected])),
    )
    expect(browser.model.strays).toEqual([])
  })
})
