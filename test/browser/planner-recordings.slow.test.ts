import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { browse, scenarioName } from '../support/scripts/browse.ts'
import { click, fill, open, see } from '../support/scripts/browser-moves.ts'
import { planScripts } from '../support/scripts/plan-scripts.ts'
import type { Bend } from '../support/scripts/report-spec.ts'
import { startShop } from '../support/start-shop.ts'

const account = await readFile(new URL('../../fixtures/shop/plans/account.plan.md', import.meta.url), 'utf8')
const titles = [...account.matchAll(/^#### (.+)$/gm)].map(([, title = '']) => title)

const seed = '# Seed\n\n## Log in\n\nLog in as ann with the password tulip on the page /login.\n'
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

const logIn = [open('/login'), fill('Name', 'ann'), fill('Password', 'tulip', { submit: true })]
/** Of the only scenario of its plan the prompt does not say the title. */
const scripts = {
  ...planScripts,
  '1.1 Leave': [
    [...logIn, see(/^heading "Welcome, Ann"/)],
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

function outcomesOf(stdout: string, file: string): readonly unknown[] {
  return (readJsonReport(stdout)[file] ?? []).map(({ name, outcome, assurance, codes }) => [
    name,
    outcome,
    ...(assurance === undefined ? [] : [assurance]),
    ...codes,
  ])
}

describe.skipIf(skipReason !== '')(`recordings of plans${skipReason}`, () => {
  test('are made, repeated without a model, and become part of the plan, but for seeds', async () => {
    await using right = await startShop()
    await using wrong = await startShop('any-password')
    await using browser = await createBrowserProject({
      script: browse(scripts, quoteForChecks, (each) => scenarioName(each) || '1.1 Leave'),
      options: { agent: 'auto', baseUrl: right.url },
      files: {
        'specs/account.plan.md': account,
        'specs/leave.md': seeded,
        'tests/seed.md': seed,
        'tests/seed.spec.ts': "test('seed', async ({ page }) => {\n  await page.goto('/?from=seed')\n})\n",
      },
    })
    const { project, env, model } = browser
    const json = ['--agent', 'browser', '--reporter=json']

    const made = await project.mdtest(['record', 'specs', '--agent', 'browser'], { env, timeoutMs })
    expect(made.exitCode, made.all).toBe(0)
    expect((await project.read('specs/account.plan.recording.md')).match(/^# .+$/gm)).toEqual(
      titles.map((title) => `# ${title}`),
    )
    const asked = model.conversations.length

    const replayed = await project.mdtest(['run', 'specs', ...json, '--replay', 'only'], { env, timeoutMs })
    expect([...outcomesOf(replayed.stdout, 'account.plan.md'), ...outcomesOf(replayed.stdout, 'leave.md')]).toEqual([
      ...titles.map((title) => [title, 'pass', 'reproduced']),
      ['1.1 Leave > Seed > Log in', 'pass', 'reproduced'],
      ['1.1 Leave > 1.1 Leave', 'pass', 'reproduced'],
    ])

    const promoted = await project.mdtest(['promote', 'specs/account.plan.md', '--agent', 'browser'])
    expect(promoted.exitCode, promoted.all).toBe(0)
    const onWrong = ['run', 'specs/account.plan.md', ...json, '--base-url', wrong.url]
    const verified = await project.mdtest(onWrong, { env, timeoutMs })
    expect(outcomesOf(verified.stdout, 'account.plan.md'), verified.all).toEqual([
      [titles[0], 'fail', 'VERIFY_FAILED'],
      ...titles.slice(1).map((title) => [title, 'pass', 'verified']),
    ])
    expect(model.conversations).toHaveLength(asked)

    for (const path of ['specs/leave.md', 'specs/leave.md:11']) {
      const refused = await project.mdtest(['promote', path, '--agent', 'browser'])
      expect(refused.stderr).toContain(
        'tests/seed.md:3 "Log in": it stands in a seed, with which other scenarios may begin, too.',
      )
      expect(refused.exitCode).toBe(1)
    }
    expect(await project.read('specs/leave.md')).toBe(seeded)
  })
})
