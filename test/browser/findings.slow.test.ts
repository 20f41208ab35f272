import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Summary } from '../../src/report/folder/summary.ts'
import {
  createBrowserProject,
  shopSpec,
  skipReason,
  timeoutMs,
  type BrowserProject,
} from '../support/browser-project.ts'
import type { Finished } from '../support/create-project.ts'
import { followLinks, type Followed } from '../support/follow-links.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { startOddPages } from '../support/odd-pages.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { dishonest } from '../support/scripts/dishonest.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

const passed = 'pass observed'
const found = 'fail STEP_FAILED CHECK_FAILED'
const after = 'skipped PREDECESSOR_FAILED'

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

/** Its page hangs at the click. */
const hangingBlocks = (url: string): string =>
  `---\nagent: none\nbase-url: ${url}\n---\n\n# Hangs\n\n\`\`\`ts browser timeout=3s\nawait page.goto('/hangs')\nawait page.getByRole('button', { name: 'Hang' }).click()\nawait see('heading "Never"')\n\`\`\`\n`

/** A page with errors is left in the first step, by another address. */
const leavingSpec = (url: string): string =>
  `---\nbase-url: ${url}\n---\n\n# Left\n\n## Leave\n\n- [ ] It is broken\n- [ ] It starts\n\n## Come again\n\n- [ ] It starts\n`

/** Vitest begins with the largest files: those that wait longest. */
const amongTheFirst = '\n'.repeat(4096)
const emptyCart = '# Cart\n\nOpen the cart.\n\n- [ ] It is empty\n'
const openCart: BrowserScript = [[open('/cart'), see(/Your cart is empty/)]]
const furtherServer = `---
mcp-servers: { tests: { command: node, args: [node_modules/vitest-mdtest/dist/bin.js, mcp, --root, .] } }
---

`
const start = [open('/'), see(/Start/)]
const scripts = {
  ...shopScripts,
  dies: [[open('/'), see(/^link "Tea pot"/)], openCart[0] ?? []],
  left: [[open('/broken'), see(/Broken/), ...start], start],
}

const script: ModelScript = (conversation) => (dishonest[specName(conversation)] ?? browse(scripts))(conversation)

interface Findings extends Finished, Pick<BrowserProject['model'], 'conversations' | 'strays'> {
  /** Whether the model wrote into the project. */
  readonly hasWritten: boolean
  readonly summary: Summary
  readonly followed: Followed
  readonly shopUrl: string
}

/** All of it in one run: it starts once, and while one spec waits for a page that hangs, others go on. */
async function runAll(): Promise<Findings> {
  await using shop = await startShop()
  await using wrong = await startShop('search-misses', 'wrong-mail')
  await using dying = await startShop()
  await using pages = await startOddPages()
  const files: Record<string, string> = {
    'photo.txt': 'photo\n',
    'account.test.md': await shopSpec('account', shop.url),
    'catalogue.test.md': await shopSpec('catalogue', wrong.url),
    'checkout.test.md': await shopSpec('checkout', wrong.url),
    'extras.test.md': await shopSpec('extras', shop.url),
    'stock.test.md': (await shopSpec('stock', shop.url)) + amongTheFirst,
    'configurator.test.md': (await shopSpec('configurator', shop.url)) + amongTheFirst,
    'dies.test.md': dyingSpec(dying.url, dying.pid),
    'hangs.test.md': hangingBlocks(pages.url) + amongTheFirst,
    'left.test.md': leavingSpec(pages.url),
    ...Object.fromEntries(Object.keys(dishonest).map((name) => [`${name}.test.md`, emptyCart])),
    'ends-without-a-report.test.md': furtherServer + emptyCart,
  }
  const options = { baseUrl: shop.url, maxAgents: 4, reportDir: 'reports/specs' }
  await using browser = await createBrowserProject({
    script,
    options,
    test: { reporters: ['json', 'vitest-mdtest/reporter'] },
    files,
  })
  const { project, model, env } = browser
  const finished = await project.vitest(['run', '--reporter=json', '--reporter=vitest-mdtest/reporter'], {
    env,
    timeoutMs: 2 * timeoutMs,
  })
  const { conversations, strays } = model
  const summary = await project.read('reports/specs/summary.js')
  return {
    ...finished,
    conversations,
    strays,
    hasWritten: existsSync(project.path('written.md')),
    summary: JSON.parse(summary.replace(/^var mdtestSummary=/, '')) as Summary, // what mdtest wrote
    followed: await followLinks(project.path('reports/specs')),
    shopUrl: shop.url,
  }
}

describe.skipIf(skipReason !== '')(`what browser specs find${skipReason}`, () => {
  let run: Findings
  const verdicts = (name: string): readonly string[] => verdictsOf(run.stdout, `${name}.test.md`)
  const messages = (): string =>
    Object.values(readJsonReport(run.stdout))
      .flatMap((tests) => tests.flatMap((one) => one.messages ?? []))
      .join('\n')
  beforeAll(async () => {
    run = await runAll()
  }, 600_000)

  test('bugs, in the steps that they break', () => {
    expect([verdicts('catalogue'), verdicts('checkout')], run.all).toEqual([
      [`${found} CHECK_FAILED`, after],
      [passed, passed, found, after],
    ])
    expect(run.exitCode).toBe(1)
    expect(run.strays).toEqual([])
  })

  test('that dialogs, tabs and files work, and that pages hang or a server died', () => {
    const names = ['extras', 'stock', 'configurator', 'dies']
    expect(names.map(verdicts), run.all).toEqual([
      Array.from({ length: 5 }, () => passed),
      [found],
      [found],
      [passed, found],
    ])
    expect(readJsonReport(run.stdout)['hangs.test.md']?.map(({ status }) => status)).toEqual(['failed'])
    expect(messages()).toMatch(/ERR_CONNECTION_(?:REFUSED|RESET)/)
  })

  test('that models did nothing, quote themselves or do not report; nothing is written on their word', () => {
    expect(Object.keys(dishonest).map((name) => [name, verdicts(name)])).toEqual([
      ['reports-without-acting', ['fail NO_ACTIVITY']],
      ['quotes-itself', ['fail EVIDENCE_UNKNOWN']],
      ['quotes-a-failed-call', [passed]],
      ['quotes-for-the-check', ['pass evidenced']],
      ['ends-without-a-report', ['fail STEP_UNREPORTED']],
    ])
    expect(messages()).toContain('ended its work by itself')
    const answers = run.conversations.flatMap(({ results }) => results.map(({ text }) => text))
    expect(answers).toContainEqual(expect.stringMatching(/\bscope\b/))
    expect(run.hasWritten).toBe(false)
  })

  test('is in the report, which leads to all that was kept', () => {
    expect(run.summary.subject).toMatchObject({
      baseUrls: expect.arrayContaining([run.shopUrl]),
      agents: ['browser'],
      models: ['gpt-5.2'],
    })
    const { links, broken } = run.followed
    expect(broken).toEqual([])
    expect(Object.fromEntries(Object.entries(links).filter(([place]) => place.startsWith('Account')))).toEqual({
      // Only there the page had something to say on its console.
      'Account > 1-a-wrong-password-is-refused': ['Screenshot: A wrong password is refused', 'console', 'network'],
      'Account > 2-log-in': ['Screenshot: Log in', 'network'],
      'Account > 3-log-out': ['Screenshot: Log out', 'network'],
      'Account > run': expect.arrayContaining(['result log', 'journal', 'agent output']),
    })
  })

  test('errors of a page that was left, once, at the step that left it', () => {
    const findingsOf = (name: string): unknown =>
      run.summary.specs.find(({ anchor }) => anchor === `${name}.test.md`)?.findings
    expect(verdicts('left'), run.all).toEqual([passed, passed])
    expect(findingsOf('left')).toMatchObject({ consoleErrors: 3, failedRequests: 1 })
    expect(findingsOf('account')).toMatchObject({ consoleErrors: 1, failedRequests: 1 })
    expect(run.followed.links['Left > 1-leave']).toContain('console')
    expect(run.followed.links['Left > 2-come-again']).not.toContain('console')
  })
})
