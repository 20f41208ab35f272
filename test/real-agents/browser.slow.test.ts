import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { browserUnavailable } from '../support/open-browser.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { dangerRecorded, deskScripts, deskSpec } from '../support/scripts/desk-scripts.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startDesk, startShops } from '../support/start-shop.ts'
import type { ModelAction } from '../support/tool-dialect.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf, skipReason } from './real-project.ts'

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

describe.skipIf(why !== '').concurrent.each(sampleOf([codex, claude, codexCodeMode]))(`$title${why}`, (product) => {
  test('finds a bug with the browser that a spec requires, and cannot quote its own words', async () => {
    await using shops = await startShops(['search-misses'])
    const base = `requires: [browser]\nbase-url: ${shops.urlOf('search-misses')}\n`
    const broken = spec.replace('agent: browser\n', `agent: ${product.agent}\n${base}`)
    const cart = `---\nagent: ${product.agent}\nrequires: [browser]\n---\n\n# Cart\n\nOpen it.\n\n- [ ] It is empty\n`
    await using real = await createRealProject({
      product,
      script: (conversation) => (specName(conversation) === 'echo' ? quotesItself : browse(shopScripts))(conversation),
      files: {
        'echo.test.md': cart,
        'catalogue.broken.test.md': broken,
      },
    })
    const { stdout, all } = await real.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'catalogue.broken.test.md'), all).toEqual([
      'fail STEP_FAILED CHECK_FAILED CHECK_FAILED',
      'skipped PREDECESSOR_FAILED',
    ])
    expect(verdictsOf(stdout, 'echo.test.md')).toEqual(['fail EVIDENCE_UNKNOWN'])
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })

  test('has its browser steps recorded and replayed as those of the agent `browser`', async () => {
    await using desk = await startDesk()
    const files = { 'danger.test.md': deskSpec('danger', { baseUrl: desk.url, more: 'requires: [browser]\n' }) }
    await using real = await createRealProject({ product, script: browse(deskScripts), files })
    const made = await real.mdtest(['record', '--agent', product.agent])
    expect(made.exitCode, made.all).toBe(0)
    expect((await real.project.read('danger.recording.md')).match(/```ts browser\n[^]*?\n```/g)).toEqual(dangerRecorded)
    const asked = real.model.conversations.length
    const replayed = await real.mdtest(['run', '--agent', product.agent, '--replay', 'only'])
    expect(replayed.exitCode, replayed.all).toBe(0)
    expect(replayed.all).toContain('2 replayed')
    expect(real.model.conversations).toHaveLength(asked)
    expect(await real.leftovers()).toEqual([])
  })
})
