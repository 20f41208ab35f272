import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Finished } from '../support/create-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { readJsonReport } from '../support/json-report.ts'
import { browse, scenarioName } from '../support/scripts/browse.ts'
import { click, fill, open, see } from '../support/scripts/browser-moves.ts'
import type { Bend } from '../support/scripts/report-spec.ts'
import { startShop } from '../support/start-shop.ts'

const plan = (name: string): string =>
  readFileSync(new URL(`../../fixtures/shop/plans/${name}`, import.meta.url), 'utf8')
const account = plan('account.plan.md')
const titles = [...account.matchAll(/^#### (.+)$/gm)].map(([, title = '']) => title)

const seed = '# Seed\n\n## Log in\n\nLog in as ann with the password tulip on the page /login.\n'
/** It says so where somebody runs it. */
const seedCode = `import { writeFileSync } from 'node:fs'
writeFileSync('seed-was-run', '')
test('seed', async ({ page }) => {
  await page.goto('/?from=seed')
})
`
const seeded = `# Leaving Test Plan

## Application Overview

The shop knows its customers.

### 1. Leaving

**Seed:** \`tests/seed.md\`

#### 1.1 Leave

**Steps:**
1. Click the button "Log out"

**Expected Results:**
- There is a link to log in
`

/** Of the only scenario of its plan the prompt does not say the title. */
const nameOf = (each: Conversation): string => scenarioName(each) || '1.1 Leave'
/** Each `see` is a check. */
const scripts = {
  '1.1. refuse-a-wrong-password': [
    [
      open('/login'),
      see(/^textbox "Name"/),
      fill('Name', 'ann'),
      fill('Password', 'rose', { submit: true }),
      see(/^alert.*: Name or password is wrong\./),
    ],
  ],
  '2.1. search-in-descriptions': [
    [
      open('/'),
      see(/^button "Add Blue mug to cart"/),
      fill('Search', 'tea', { role: 'searchbox', submit: true }),
      see(/^status.*: 2 products/),
      see(/^link "Milk jug"/),
    ],
  ],
  '1.1 Leave': [
    [open('/login'), fill('Name', 'ann'), fill('Password', 'tulip', { submit: true }), see(/^heading "Welcome, Ann"/)],
    [click('button', 'Log out'), see(/^link "Log in"/)],
  ],
}

/** A model that quotes for each check. */
const quoteForChecks: Bend = (report) => {
  const [evidence, checks] = [report.evidence, report.checks].map((list) => (Array.isArray(list) ? list : []))
  return [
    { ...report, checks: checks?.map((check, index) => ({ ...check, evidence: evidence?.slice(index, index + 1) })) },
  ]
}

/** What became of two plans that are recorded, repeated on a shop with a bug, and made part of the plan. */
interface PlannerRun {
  readonly recorded: Finished
  readonly recording: string
  readonly seedWasRun: boolean
  readonly replayed: Finished
  /** What the report of the logs has as steps of the plan. */
  readonly reported: readonly string[]
  readonly conversations: readonly Conversation[]
  /** How many had come when all was recorded. */
  readonly asked: number
  /** How many models were at work on the plan at once. */
  readonly most: number
}

async function runPlans(): Promise<PlannerRun> {
  await using right = await startShop()
  await using wrong = await startShop('any-password')
  const working = new Set<string>()
  let most = 0
  const script = browse(scripts, quoteForChecks, nameOf)
  await using browser = await createBrowserProject({
    async script(conversation) {
      const reply = await script(conversation)
      const isLast = reply.kind === 'answer' && reply.calls === undefined
      if (isLast) working.delete(nameOf(conversation))
      else working.add(nameOf(conversation))
      most = Math.max(most, working.size)
      return reply
    },
    options: { agent: 'auto', baseUrl: right.url },
    files: {
      'specs/README.md': plan('README.md'),
      'specs/account.plan.md': account,
      'specs/leave.md': seeded,
      'tests/seed.md': seed,
      'tests/seed.spec.ts': seedCode,
    },
  })
  const { project, env, model } = browser
  const mdtest = (...args: readonly string[]) => project.mdtest([...args, '--agent', 'browser'], { env, timeoutMs })
  const recorded = await mdtest('record', 'specs', '--reporter=default', '--reporter=vitest-mdtest/reporter')
  const asked = model.conversations.length
  const summary = (await project.read('mdtest-report/summary.js')).replace(/^var mdtestSummary=/, '')
  const { specs }: { specs: readonly { anchor: string; steps: readonly { title: string }[] }[] } = JSON.parse(summary)
  const replayed = await mdtest('run', 'specs', '--reporter=json', '--replay', 'only', '--base-url', wrong.url)
  const recording = await project.read('specs/account.plan.recording.md')
  return {
    recorded,
    recording,
    seedWasRun: await project.read('seed-was-run').then(
      () => true,
      () => false,
    ),
    replayed,
    reported: specs.find(({ anchor }) => anchor === 'specs/account.plan.md')?.steps.map(({ title }) => title) ?? [],
    conversations: model.conversations.filter(({ isSideRequest }) => !isSideRequest),
    asked,
    most,
  }
}

function outcomesOf({ stdout }: Finished, file: string): readonly unknown[] {
  return (readJsonReport(stdout)[file] ?? []).map(({ name, outcome, assurance, codes }) => [
    name,
    outcome,
    ...(assurance === undefined ? [] : [assurance]),
    ...codes,
  ])
}

describe.skipIf(skipReason !== '')(`plans of Playwright's planner${skipReason}`, () => {
  let run: PlannerRun
  beforeAll(async () => {
    run = await runPlans()
  }, 600_000)

  test('are carried out and recorded, a test for each scenario; README.md is left out and named', () => {
    expect(run.recorded.exitCode, run.recorded.all).toBe(0)
    expect(run.recording.match(/^# .+$/gm)).toEqual(titles.map((title) => `# ${title}`))
    expect(run.reported).toEqual(titles)
    expect(run.recorded.stderr).toContain('Left out, because of their names: specs/README.md.')
  })

  test('have a browser of its own for each scenario, beside those of the same plan', () => {
    const last = new Map(run.conversations.map((each) => [nameOf(each), each]))
    const visitors = [...last.values()].map(({ results }) => [
      ...new Set(results.flatMap(({ text }) => text.match(/You are visitor \d+/g) ?? [])),
    ])
    // A seed is carried out in the browser of its scenario.
    expect(visitors.map(({ length }) => length)).toEqual([...titles, '1.1 Leave'].map(() => 1))
    expect(new Set(visitors.flat()).size).toBe(visitors.length)
    expect(run.most).toBeGreaterThan(1)
  })

  test('give a model their context and its scenario alone, with the code of a seed, which nobody runs', () => {
    const search = run.conversations.find((each) => scenarioName(each) === '2.1. search-in-descriptions')
    expect(search?.prompt).toContain("Ann's password is tulip")
    expect(search?.prompt).toContain('### 2. Search')
    expect(search?.prompt).toContain("Search for 'tea'")
    expect(search?.prompt).toContain(
      'Seed seed.spec.ts, code of another test runner. First do by hand what it prepares:',
    )
    expect(search?.prompt).toContain("await page.goto('/?from=seed')")
    expect(search?.prompt).not.toContain('Log in as ann')
    expect(search?.prompt).not.toContain('### 1. Accounts')
    expect(search?.system).toMatch(
      /\(3 checks\)\n {2}- check 1: The catalogue is open\n {2}- check 2: There are 2 products\n {2}- check 3: /,
    )
    expect(run.seedWasRun).toBe(false)
  })

  test('are repeated without a model, with their seeds: a bug is found in its scenario', () => {
    expect(outcomesOf(run.replayed, 'account.plan.md'), run.replayed.all).toEqual(
      titles.map((title) => [title, ...(title === titles[0] ? ['fail', 'REPLAY_DIFFERS'] : ['pass', 'reproduced'])]),
    )
    expect(outcomesOf(run.replayed, 'leave.md')).toEqual([
      ['1.1 Leave > Seed > Log in', 'pass', 'reproduced'],
      ['1.1 Leave > 1.1 Leave', 'pass', 'reproduced'],
    ])
    expect(run.conversations.length).toBeLessThanOrEqual(run.asked)
  })
})
