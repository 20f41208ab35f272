import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { browserUnavailable } from '../support/open-browser.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShops } from '../support/start-shop.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

const why = skipReason !== '' || browserUnavailable === undefined ? skipReason : ` (skipped: ${browserUnavailable})`
const spec = readFileSync(new URL('../../fixtures/shop/specs/catalogue.test.md', import.meta.url), 'utf8')

describe.skipIf(why !== '').each([claude, codex, codexCodeMode])(`$title${why}`, ({ title: _title, ...agent }) => {
  test('carries out browser specs with the browser that they require', async () => {
    await using shops = await startShops(['right', 'search-misses'])
    const specFor = (bug: string): string =>
      spec.replace('agent: browser\n', `agent: ${agent.agent}\nrequires: [browser]\nbase-url: ${shops.urlOf(bug)}\n`)
    await using real = await createRealProject({
      ...agent,
      script: browse(shopScripts),
      files: { 'catalogue.right.test.md': specFor('right'), 'catalogue.broken.test.md': specFor('search-misses') },
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'catalogue.right.test.md'), all).toEqual(['pass observed', 'pass observed'])
    expect(verdictsOf(stdout, 'catalogue.broken.test.md'), all).toEqual([
      'fail STEP_FAILED CHECK_FAILED CHECK_FAILED',
      'skipped PREDECESSOR_FAILED',
    ])
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})
