import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { startModelServer } from '../../test/support/model-server.ts'
import { browse } from '../../test/support/scripts/browse.ts'
import { call, open, see } from '../../test/support/scripts/browser-moves.ts'
import type { Bend } from '../../test/support/scripts/report-spec.ts'
import { shopScripts } from '../../test/support/scripts/shop-scripts.ts'
import { startShop } from '../../test/support/start-shop.ts'
import { root } from '../lib/run-command.ts'

const specs = ['account', 'cart', 'catalogue', 'checkout']

const scripts = {
  ...shopScripts,
  // Each step needs its own evidence, so the third step, which has no actions, takes a snapshot.
  cart: shopScripts.cart.map((moves, index) => (index === 2 ? [call('browser_snapshot'), ...moves] : moves)),
  addresses: [[open('/help'), see(/^generic.*: There is no such page/)]],
}

/** What the scripted model says about steps that fail. It finds out itself that they fail. */
const words: Readonly<Record<string, string>> = {
  '4-use-a-coupon': 'The total is still €27.00: the cart lists "Coupon SPRING10: −€0.00".',
  '3-place-the-order': 'The page says thank you and names bob@example.com, not gifts@example.org.',
}

/** Changes reports so that they use plain words and quote evidence for each check. */
const bend: Bend = (report) => {
  const { step, status } = report
  const said = status === 'fail' ? words[String(step)] : undefined
  const quotes = listOf(report.evidence)
  const checks = listOf(report.checks).map(({ n, status: became, observed }, index) =>
    became === 'pass'
      ? { n, status: became, evidence: [quotes[Math.min(index, quotes.length - 1)]].filter(Boolean) }
      : { n, status: became, observed: said ?? observed },
  )
  return [{ ...report, ...(said !== undefined && { observed: said }), evidence: [], checks }]
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : []
}

/**
 * Runs browser specs with a scripted model on a shop with two bugs. Returns the path of the report.
 *
 * @param project absolute path of an empty folder with the package in its `node_modules`
 */
export async function makeBrowserReport(project: string): Promise<string> {
  await using shop = await startShop('coupon-ignored', 'wrong-mail')
  await using model = await startModelServer(browse(scripts, bend))
  for (const name of specs) cpSync(join(root, `fixtures/shop/specs/${name}.test.md`), join(project, `${name}.test.md`))
  cpSync(join(root, 'scripts/pictures/shop'), project, { recursive: true })
  const modules = join(project, 'node_modules')
  for (const name of ['ai', '@ai-sdk/openai', '@playwright/mcp']) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  commit(project)
  const args = ['run', '--agent', 'browser', '--base-url', shop.url, '--provider-url', `${model.url}/v1`, '--report']
  const { PATH = '' } = process.env
  const env = { PATH, HOME: project, TMPDIR: '/tmp', TZ: 'UTC', OPENAI_API_KEY: 'sk-scripted' }
  const run = await execa('node', ['node_modules/vitest-mdtest/dist/bin.js', ...args], {
    cwd: project,
    env,
    extendEnv: false,
    all: true,
    reject: false,
  })
  if (run.exitCode !== 1) throw new Error(run.all)
  return join(project, 'mdtest-report/index.html')
}

/** Makes a commit, because the report shows branch and commit. */
function commit(project: string): void {
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: project })
  writeFileSync(join(project, '.gitignore'), 'node_modules\n')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-q', '-m', 'A coupon for spring')
}
