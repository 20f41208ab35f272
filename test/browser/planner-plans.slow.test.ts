import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Finished } from '../support/create-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { Summary } from '../../src/report/folder/summary.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, scenarioName } from '../support/scripts/browse.ts'
import { planScripts } from '../support/scripts/plan-scripts.ts'
import { startShop } from '../support/start-shop.ts'

const plan = (name: string): Promise<string> =>
  readFile(new URL(`../../fixtures/shop/plans/${name}`, import.meta.url), 'utf8')

const passed = 'pass observed'

/** The scenario of the plans that shows each bug, and no other does. */
const bugs = {
  'quantity-forgotten': '1.3 Change a Quantity',
  'sold-out-orderable': '1.4 Sold Out',
  'wrong-total': '2.1 Total of Several Pieces',
  'coupon-ignored': '2.2 Coupon',
  'any-password': '1.1. refuse-a-wrong-password',
  'search-misses': '2.1. search-in-descriptions',
  'wrong-mail': '3.1. confirm-to-another-address',
  'order-lost': '3.2. find-an-order',
}

interface PlannerRun extends Finished {
  readonly conversations: readonly Conversation[]
  readonly most: number
  /** Summary of a report that is made of the logs alone. */
  readonly summary: Summary
}

/** Plans as they are, of the right shop and of one with bugs. */
async function runPlans(): Promise<PlannerRun> {
  await using right = await startShop()
  await using wrong = await startShop(...Object.keys(bugs))
  const plans = { cart: await plan('cart.plan.md'), account: await plan('account.plan.md') }
  const beside = new Beside(browse(planScripts, undefined, scenarioName))
  await using browser = await createBrowserProject({
    script: beside.script,
    options: { agent: 'auto', baseUrl: right.url },
    files: {
      'specs/README.md': await plan('README.md'),
      'specs/cart.plan.md': plans.cart,
      'specs/account.plan.md': plans.account,
      'specs/wrong-cart.md': `---\nbase-url: ${wrong.url}\n---\n\n${plans.cart}`,
      'specs/wrong-account.md': `---\nbase-url: ${wrong.url}\n---\n\n${plans.account}`,
      'tests/seed.spec.ts': "test('seed', async ({ page }) => {\n  await page.goto('/?from=seed')\n})\n",
    },
  })
  const { project, env, model } = browser
  const finished = await project.mdtest(['run', 'specs', '--agent', 'browser', '--reporter=json'], { env, timeoutMs })
  await project.mdtest(['report'])
  const report = await project.read('mdtest-report/summary.js')
  return {
    ...finished,
    summary: JSON.parse(report.replace(/^var mdtestSummary=/, '')),
    conversations: model.conversations.filter((each) => scenarioName(each) !== ''),
    most: beside.most,
  }
}

/** Counts the models that are at work on the same plan at the same time. */
class Beside {
  most = 0
  readonly #script: ModelScript
  readonly #working = new Map<string, Set<string>>()

  constructor(script: ModelScript) {
    this.#script = script
  }

  readonly script: ModelScript = async (conversation) => {
    const spec = /^Base URL: .*\nSpecification: .*$/m.exec(conversation.system)?.[0] ?? ''
    const working = this.#working.get(spec) ?? new Set()
    this.#working.set(spec, working)
    const reply = await this.#script(conversation)
    const isLast = reply.kind === 'answer' && reply.calls === undefined
    if (isLast) working.delete(scenarioName(conversation))
    else working.add(scenarioName(conversation))
    this.most = Math.max(this.most, working.size)
    return reply
  }
}

describe.skipIf(skipReason !== '')(`plans of Playwright's planner${skipReason}`, () => {
  let run: PlannerRun
  beforeAll(async () => {
    run = await runPlans()
  }, timeoutMs)

  test('pass on the right shop, a test for each scenario', () => {
    const titles = (file: string): readonly string[] => (readJsonReport(run.stdout)[file] ?? []).map(({ name }) => name)
    const all = Object.keys(planScripts)
    expect([...titles('cart.plan.md'), ...titles('account.plan.md')], run.all).toEqual(all)
    const verdicts = ['cart.plan.md', 'account.plan.md'].flatMap((file) => verdictsOf(run.stdout, file))
    expect(verdicts, run.all).toEqual(all.map(() => passed))
  })

  test('find each bug in its scenario, and nothing else', () => {
    const report = readJsonReport(run.stdout)
    const tests = ['wrong-cart.md', 'wrong-account.md'].flatMap((file) => report[file] ?? [])
    const verdicts = tests.map(({ name, outcome, codes }) => [name, outcome, ...new Set(codes)])
    const showing = new Set(Object.values(bugs))
    const right = tests.map(({ name }) =>
      showing.has(name) ? [name, 'fail', 'STEP_FAILED', 'CHECK_FAILED'] : [name, 'pass'],
    )
    expect(verdicts, run.all).toEqual(right)
    expect(tests).toHaveLength(Object.keys(planScripts).length)
    expect(run.exitCode).toBe(1)
  })

  test('are read as plans by a report that is made of their logs, too', () => {
    const steps = run.summary.specs.find(({ anchor }) => anchor === 'specs/cart.plan.md')?.steps ?? []
    const tests = readJsonReport(run.stdout)['cart.plan.md'] ?? []
    expect(steps.map(({ title }) => title)).toEqual(tests.map(({ name }) => name))
    expect(steps.length).toBeGreaterThan(0)
  })

  test('README.md is left out and named', () => {
    expect(run.stderr).toContain('Left out, because they tell of specs and are none: specs/README.md.')
    expect(Object.keys(readJsonReport(run.stdout))).not.toContain('README.md')
  })

  test('each scenario has a browser of its own, beside those of its plan', () => {
    const shown = lastOf(run.conversations).map(({ results }) => results.map(({ text }) => text).join('\n'))
    const visitors = shown.map((text) => new Set(text.match(/You are visitor \d+/g)).size)
    expect(visitors).toEqual(shown.map(() => 1))
    expect(run.most).toBeGreaterThan(1)
  })

  test('a model gets the context and its scenario, with the checks in order, and no other scenario', () => {
    const coupon = run.conversations.find((each) => scenarioName(each) === '2.2 Coupon')
    expect(coupon?.prompt).toContain('Whoever opens it is a visitor with an own cart')
    expect(coupon?.prompt).toContain('All scenarios pass, in any order.')
    expect(coupon?.prompt).toContain('### 2. Prices')
    expect(coupon?.prompt).toContain("await page.goto('/?from=seed')")
    expect(coupon?.prompt).toContain('Enter the coupon "SPRING10"')
    expect(coupon?.prompt).not.toContain('Total of Several Pieces')
    expect(coupon?.prompt).not.toContain('### 1. Filling')
    expect(coupon?.system).toContain(
      '(2 checks)\n  - check 1: The page names the coupon\n  - check 2: The total is €8.10, a tenth less than €9.00\n',
    )
  })
})

/** The last request of each model. */
function lastOf(conversations: readonly Conversation[]): readonly Conversation[] {
  const last = new Map(conversations.map((each) => [each.system, each]))
  return [...last.values()]
}
