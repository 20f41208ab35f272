import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs, type BrowserProject } from '../support/browser-project.ts'
import type { Finished } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { browse, scenarioName } from '../support/scripts/browse.ts'
import { click, fill, open, see, type BrowserScript, type Move } from '../support/scripts/browser-moves.ts'
import { startShop } from '../support/start-shop.ts'

const seed = `---
tags: [seeds]
---

# Seed

## Log in

Log in as ann with the password tulip on the page /login.

- [ ] the page greets Ann
`

/** It says so where somebody runs it. */
const code = `import { writeFileSync } from 'node:fs'
writeFileSync('seed-was-run', '')
test('seed', async ({ page }) => {
  await page.goto('/?from=seed')
})
`

/** @param seedFile as the plan names it */
const plan = (seedFile: string): string => `# Account Test Plan

## Application Overview

The shop knows its customers.

### 1. Account

**Seed:** \`${seedFile}\`

#### 1.1 Leave

**Steps:**
1. Click the button "Log out"

**Expected Results:**
- There is a link to log in

#### 1.2 Stay

**Steps:**
1. Open the catalogue

**Expected Results:**
- There is a link to the orders
`

const logIn = (password: string): readonly Move[] => [
  open('/login'),
  fill('Name', 'ann'),
  fill('Password', password, { submit: true }),
  see(/^heading "Welcome, Ann"/),
]
const leave: readonly Move[] = [click('button', 'Log out'), see(/^link "Log in"/)]
const stay: readonly Move[] = [open('/'), see(/^link "Orders"/)]

/** Scripts by the title of the scenario. */
type Scripts = Readonly<Record<string, BrowserScript>>

async function runPlan(
  scripts: Scripts,
  { seedFile, files }: { readonly seedFile: string; readonly files: Readonly<Record<string, string>> },
  look: (finished: Finished, browser: BrowserProject) => void | Promise<void>,
): Promise<void> {
  await using shop = await startShop()
  await using browser = await createBrowserProject({
    script: browse(scripts, undefined, scenarioName),
    options: { agent: 'auto', baseUrl: shop.url },
    files: { 'specs/account.md': plan(seedFile), ...files },
  })
  const { project, env } = browser
  const finished = await project.mdtest(['run', 'specs', '--agent', 'browser', '--reporter=json'], { env, timeoutMs })
  await look(finished, browser)
}

function outcomesOf({ stdout }: Finished): readonly unknown[] {
  return (readJsonReport(stdout)['account.md'] ?? []).map(({ name, outcome, codes }) => [name, outcome, ...codes])
}

describe.skipIf(skipReason !== '')(`seeds of plans${skipReason}`, () => {
  test.each(['tests/seed.md', 'tests/seed.test.md'])(
    '%s, a spec of ours, is carried out before each scenario, in its browser',
    async (seedFile) => {
      const scripts = { '1.1 Leave': [logIn('tulip'), leave], '1.2 Stay': [logIn('tulip'), stay] }
      await runPlan(scripts, { seedFile, files: { [seedFile]: seed } }, (finished, { model }) => {
        expect(outcomesOf(finished), finished.all).toEqual([
          ['1.1 Leave > Seed > Log in', 'pass'],
          ['1.1 Leave > 1.1 Leave', 'pass'],
          ['1.2 Stay > Seed > Log in', 'pass'],
          ['1.2 Stay > 1.2 Stay', 'pass'],
        ])
        expect(finished.exitCode).toBe(0)
        const visitors = Object.keys(scripts).map((title) => {
          const last = model.conversations.findLast((each) => scenarioName(each) === title)
          return new Set(last?.results.flatMap(({ text }) => text.match(/You are visitor \d+/g) ?? []))
        })
        expect(visitors.map(({ size }) => size)).toEqual([1, 1])
        expect(new Set(visitors.flatMap((each) => [...each])).size).toBe(2)
      })
    },
  )

  test('without it there is no scenario', async () => {
    const scripts = { '1.1 Leave': [logIn('rose'), leave], '1.2 Stay': [logIn('tulip'), stay] }
    const files = { 'tests/seed.md': seed }
    await runPlan(scripts, { seedFile: 'tests/seed.md', files }, (finished) => {
      expect(outcomesOf(finished), finished.all).toEqual([
        ['1.1 Leave > Seed > Log in', 'fail', 'STEP_FAILED', 'CHECK_FAILED'],
        ['1.1 Leave > 1.1 Leave', 'skipped', 'PREDECESSOR_FAILED'],
        ['1.2 Stay > Seed > Log in', 'pass'],
        ['1.2 Stay > 1.2 Stay', 'pass'],
      ])
      expect(finished.exitCode).toBe(1)
    })
  })

  test('code of another runner is told, and never run', async () => {
    const scripts = {
      '1.1 Leave': [[...logIn('tulip').slice(0, -1), ...leave]],
      '1.2 Stay': [[...logIn('tulip').slice(0, -1), ...stay]],
    }
    const files = { 'tests/seed.spec.ts': code }
    await runPlan(scripts, { seedFile: 'tests/seed.spec.ts', files }, async (finished, { model, project }) => {
      expect(outcomesOf(finished), finished.all).toEqual([
        ['1.1 Leave', 'pass'],
        ['1.2 Stay', 'pass'],
      ])
      for (const { prompt } of model.conversations.filter((each) => scenarioName(each) !== '')) {
        expect(prompt).toContain('Seed seed.spec.ts, code of another test runner. First do by hand what it prepares:')
        expect(prompt).toContain("await page.goto('/?from=seed')")
      }
      await expect(project.read('seed-was-run')).rejects.toThrow('ENOENT')
    })
  })
})
