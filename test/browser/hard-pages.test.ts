import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'
import type { ModelAction } from '../support/tool-dialect.ts'

const dyingSpec = (url: string, pid: number): string => `---
base-url: ${url}
---

# A shop that dies

## Open the shop

- [ ] It has a tea pot

## Open the cart

\`\`\`bash run
kill -9 ${pid}
\`\`\`

- [ ] It is empty
`

const emptyCart = '# Cart\n\nOpen the cart.\n\n- [ ] It is empty\n'
const openCart: BrowserScript = [[open('/cart'), see(/Your cart is empty/)]]
const furtherServer = `---
mcp-servers: { tests: { command: node, args: [node_modules/vitest-mdtest/dist/bin.js, mcp, --root, .] } }
---

`
const words = 'The cart has 0 products'
const browserTool = (tool: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool, input })

/** Dishonest models, by the name of their spec. */
const liars: Readonly<Record<string, ModelScript>> = {
  'reports-without-acting': browse({ 'reports-without-acting': [[]] }, (report) => [
    { ...report, checks: [{ n: 1, status: 'pass' }] },
  ]),
  'quotes-itself': playTurn(function* () {
    yield browserTool('browser_navigate', { url: `data:text/html,<h1>${words}</h1>` })
    yield browserTool('browser_wait_for', { textGone: words })
    yield browserTool('browser_take_screenshot', { target: 'body', element: words })
    const check = { n: 1, status: 'pass' }
    yield callOwn('report_step', { step: '1-cart', status: 'pass', evidence: [{ quote: words }], checks: [check] })
    return 'All steps passed.'
  }),
  'ends-without-a-report': playTurn(function* () {
    yield browserTool('browser_snapshot', { filename: 'written.md' })
    yield browserTool('mcp__tests__run_test')
    return 'All steps passed.'
  }),
}

const scripts = {
  ...shopScripts,
  dies: [[open('/'), see(/^link "Tea pot"/)], openCart[0] ?? []],
}

const script: ModelScript = (conversation) => (liars[specName(conversation)] ?? browse(scripts))(conversation)

const failed = 'fail STEP_FAILED CHECK_FAILED'

describe.skipIf(skipReason !== '')(`pages that are hard to test${skipReason}`, () => {
  test('dialogs, tabs and files are used; hanging pages, a dead server and dishonest models fail', async () => {
    await using shop = await startShop()
    await using dying = await startShop()
    await using browser = await createBrowserProject({
      script,
      options: { baseUrl: shop.url, maxAgents: 5 },
      files: {
        'photo.txt': 'photo\n',
        'extras.test.md': await shopSpec('extras', shop.url),
        'stock.test.md': await shopSpec('stock', shop.url),
        'configurator.test.md': await shopSpec('configurator', shop.url),
        'dies.test.md': dyingSpec(dying.url, dying.pid),
        ...Object.fromEntries(Object.keys(liars).map((name) => [`${name}.test.md`, emptyCart])),
        'ends-without-a-report.test.md': furtherServer + emptyCart,
      },
    })
    const { stdout, all } = await browser.project.vitest(['run', '--reporter=json'], { env: browser.env, timeoutMs })
    const files = Object.keys(readJsonReport(stdout)).toSorted()
    expect(Object.fromEntries(files.map((file) => [file, verdictsOf(stdout, file)])), all).toEqual({
      'configurator.test.md': [failed],
      'dies.test.md': ['pass observed', failed],
      'ends-without-a-report.test.md': ['fail STEP_UNREPORTED'],
      'extras.test.md': Array.from({ length: 5 }, () => 'pass observed'),
      'quotes-itself.test.md': ['fail EVIDENCE_UNKNOWN'],
      'reports-without-acting.test.md': ['fail NO_ACTIVITY'],
      'stock.test.md': [failed],
    })
    const messages = Object.values(readJsonReport(stdout)).flatMap((tests) =>
      tests.flatMap((one) => one.messages ?? []),
    )
    expect(messages.join('\n')).toContain('ERR_CONNECTION_REFUSED')
    expect(messages.join('\n')).toContain('ended its work by itself')
    const answers = browser.model.conversations.flatMap(({ results }) => results.map(({ text }) => text))
    expect(answers).toContainEqual(expect.stringMatching(/no_output_timeout_ms/))
    expect(existsSync(browser.project.path('written.md'))).toBe(false)
  })
})
