import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createBrowserProject,
  shopSpec,
  skipReason,
  timeoutMs,
  type BrowserProject,
} from '../support/browser-project.ts'
import type { Finished } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { dishonest } from '../support/scripts/dishonest.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop, startShops } from '../support/start-shop.ts'

const passed = 'pass observed'
const found = 'fail STEP_FAILED CHECK_FAILED'
const foundTwice = `${found} CHECK_FAILED`
const after = 'skipped PREDECESSOR_FAILED'

/** What specs say of a shop with a bug. The model's scripts are those that pass on the right shop. */
const bugs: readonly (readonly [bug: string, spec: string, verdicts: readonly string[]])[] = [
  ['quantity-forgotten', 'cart', [passed, found, after, after]],
  ['wrong-total', 'cart', [passed, passed, found, after]],
  ['coupon-ignored', 'cart', [passed, passed, passed, found]],
  ['any-password', 'account', [found, after, after]],
  ['search-misses', 'catalogue', [foundTwice, after]],
  ['sold-out-orderable', 'catalogue', [passed, foundTwice]],
  ['wrong-mail', 'checkout', [passed, passed, found, after]],
  ['order-lost', 'checkout', [passed, passed, passed, found]],
]

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

/** Vitest begins with the largest files: those that wait longest. */
const amongTheFirst = '\n'.repeat(4096)
const emptyCart = '# Cart\n\nOpen the cart.\n\n- [ ] It is empty\n'
const openCart: BrowserScript = [[open('/cart'), see(/Your cart is empty/)]]
const furtherServer = `---
mcp-servers: { tests: { command: node, args: [node_modules/vitest-mdtest/dist/bin.js, mcp, --root, .] } }
---

`
const scripts = {
  ...shopScripts,
  dies: [[open('/'), see(/^link "Tea pot"/)], openCart[0] ?? []],
}

const script: ModelScript = (conversation) => (dishonest[specName(conversation)] ?? browse(scripts))(conversation)

interface Findings extends Finished, Pick<BrowserProject['model'], 'conversations' | 'strays'> {
  /** Whether the model wrote into the project. */
  readonly hasWritten: boolean
}

/** All of it in one run: it starts once, and while one spec waits for a page that hangs, others go on. */
async function runAll(): Promise<Findings> {
  await using shop = await startShop()
  await using dying = await startShop()
  await using shops = await startShops(bugs.map(([bug]) => bug))
  const files: Record<string, string> = {
    'photo.txt': 'photo\n',
    'extras.test.md': await shopSpec('extras', shop.url),
    'stock.test.md': (await shopSpec('stock', shop.url)) + amongTheFirst,
    'configurator.test.md': (await shopSpec('configurator', shop.url)) + amongTheFirst,
    'dies.test.md': dyingSpec(dying.url, dying.pid),
    ...Object.fromEntries(Object.keys(dishonest).map((name) => [`${name}.test.md`, emptyCart])),
    'ends-without-a-report.test.md': furtherServer + emptyCart,
  }
  for (const [bug, spec] of bugs) files[`${spec}.${bug}.test.md`] = await shopSpec(spec, shops.urlOf(bug))
  await using browser = await createBrowserProject({ script, options: { baseUrl: shop.url, maxAgents: 5 }, files })
  const { project, model, env } = browser
  const finished = await project.vitest(['run', '--reporter=json'], { env, timeoutMs })
  const { conversations, strays } = model
  return { ...finished, conversations, strays, hasWritten: existsSync(project.path('written.md')) }
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
  }, timeoutMs + 30_000)

  test('each of eight bugs, in the step that it breaks, by the scripts that pass on the right shop', () => {
    expect(
      bugs.map(([bug, spec]) => [bug, spec, verdicts(`${spec}.${bug}`)]),
      run.all,
    ).toEqual(bugs)
    expect(run.exitCode).toBe(1)
    // The model was tried out once, not for each spec or shop.
    expect(run.conversations.filter(({ isSideRequest }) => isSideRequest)).toHaveLength(1)
    expect(run.strays).toEqual([])
  })

  test('that dialogs, tabs and files work, and that pages hang or a server died', () => {
    expect([verdicts('extras'), verdicts('stock'), verdicts('configurator'), verdicts('dies')], run.all).toEqual([
      Array.from({ length: 5 }, () => passed),
      [found],
      [found],
      [passed, found],
    ])
    expect(messages()).toMatch(/ERR_CONNECTION_(?:REFUSED|RESET)/)
  })

  test('that models did nothing, quote themselves or do not report; nothing is written on their word', () => {
    expect(Object.keys(dishonest).map((name) => [name, verdicts(name)])).toEqual([
      ['reports-without-acting', ['fail NO_ACTIVITY']],
      ['quotes-itself', ['fail EVIDENCE_UNKNOWN']],
      ['quotes-a-failed-call', ['pass observed']],
      ['quotes-for-the-check', ['pass evidenced']],
      ['ends-without-a-report', ['fail STEP_UNREPORTED']],
    ])
    expect(messages()).toContain('ended its work by itself')
    const answers = run.conversations.flatMap(({ results }) => results.map(({ text }) => text))
    expect(answers).toContainEqual(expect.stringMatching(/\bscope\b/))
    expect(run.hasWritten).toBe(false)
  })
})
