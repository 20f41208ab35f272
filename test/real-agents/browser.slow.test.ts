import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { browserUnavailable } from '../support/open-browser.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShops } from '../support/start-shop.ts'
import type { ModelAction } from '../support/tool-dialect.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

const why = skipReason !== '' || browserUnavailable === undefined ? skipReason : ` (skipped: ${browserUnavailable})`
const spec = readFileSync(new URL('../../fixtures/shop/specs/catalogue.test.md', import.meta.url), 'utf8')

const words = 'The cart has 0 products'
const browserTool = (tool: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool, input })

/** Quotes what it looked for. */
const quotesItself: ModelScript = playTurn(function* () {
  yield browserTool('browser_navigate', { url: 'about:blank' })
  yield browserTool('browser_wait_for', { textGone: words })
  const check = { n: 1, status: 'pass' }
  yield callOwn('report_step', { step: '1-cart', status: 'pass', evidence: [{ quote: words }], checks: [check] })
  return 'All steps passed.'
})

describe.skipIf(why !== '').each([claude, codex, codexCodeMode])(`$title${why}`, ({ title: _title, ...agent }) => {
  test('carries out browser specs with the browser that they require, and cannot quote its own words', async () => {
    await using shops = await startShops(['right', 'search-misses'])
    const specFor = (bug: string): string =>
      spec.replace('agent: browser\n', `agent: ${agent.agent}\nrequires: [browser]\nbase-url: ${shops.urlOf(bug)}\n`)
    const cart = `---\nagent: ${agent.agent}\nrequires: [browser]\n---\n\n# Cart\n\nOpen it.\n\n- [ ] It is empty\n`
    await using real = await createRealProject({
      ...agent,
      script: (conversation) => (specName(conversation) === 'echo' ? quotesItself : browse(shopScripts))(conversation),
      files: {
        'echo.test.md': cart,
        'catalogue.right.test.md': specFor('right'),
        'catalogue.broken.test.md': specFor('search-misses'),
      },
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'catalogue.right.test.md'), all).toEqual(['pass observed', 'pass observed'])
    expect(verdictsOf(stdout, 'catalogue.broken.test.md'), all).toEqual([
      'fail STEP_FAILED CHECK_FAILED CHECK_FAILED',
      'skipped PREDECESSOR_FAILED',
    ])
    expect(verdictsOf(stdout, 'echo.test.md')).toEqual(['fail EVIDENCE_UNKNOWN'])
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})
