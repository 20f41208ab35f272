import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { expectAccessible } from '../support/expect-accessible.ts'
import { createFixProject, type FixProject, nodeProject } from '../support/fix-project.ts'
import { browserUnavailable, openBrowser, type Page } from '../support/open-browser.ts'

const shots = fileURLToPath(new URL('../../reports/fix-report', import.meta.url))
const evil = `</script><script>hacked=1</script><img src=x onerror="hacked=2">`

test('a session that halts can be read in the report, which is written anew from its folder', async () => {
  using project = createFixProject({
    ...nodeProject,
    'sum.test.mjs': `${nodeProject['sum.test.mjs']}\ntest(${JSON.stringify(evil)}, () => { throw new Error(${JSON.stringify(evil)}) })\n`,
  })
  project.plan({
    attempts: [
      { write: { 'sum.test.mjs': '' }, summary: `No tests, no failures. ${evil}` },
      { summary: 'Found nothing.' },
    ],
  })
  const { exitCode, report, stderr } = await project.fix('--max-attempts', '2', '--report=out/report')
  expect([exitCode, report.result, stderr]).toEqual([1, 'incomplete', expect.not.stringContaining('cannot be written')])
  expect(report.artifacts).toContain('out/report/sessions.html')
  expect(JSON.parse(readFileSync(join(project.sessionFolder(), 'artifacts/report.json'), 'utf8'))).toEqual(report)
  // Git sees nothing of it.
  expect(project.git('status', '--short')).toBe('')

  const written = pageOf(project)
  for (const name of ['sessions.js', 'index.html', 'sessions.html']) rmSync(project.path(`out/report/${name}`))
  mkdirSync(project.path('.mdtest/sessions/broken'))
  const rebuilt = await project.mdtest('report', 'out/report')
  expect([rebuilt.exitCode, rebuilt.stdout]).toEqual([0, '1 session: out/report/sessions.html\n'])
  expect(rebuilt.stderr).toMatch(/There is no session at .*broken/)
  expect(pageOf(project)).toEqual(written)
  if (browserUnavailable === undefined) await readPage(project, report.session_id)
})

/** What is told of sessions, by file. */
function pageOf(project: FixProject): Readonly<Record<string, string>> {
  const names = readdirSync(project.path('out/report/sessions'))
  return Object.fromEntries(names.map((name) => [name, project.read(`out/report/sessions/${name}`)]))
}

async function readPage(project: FixProject, id: string): Promise<void> {
  await using browser = await openBrowser()
  const errors: unknown[] = []
  const page = await browser.openPage()
  page.on('pageerror', (error) => errors.push(error))
  page.on('dialog', (dialog) => errors.push(dialog))
  await page.goto(pathToFileURL(project.path('out/report/index.html')).href)
  await page.locator('.session .step').first().waitFor()
  expect(await page.evaluate('location.pathname')).toMatch(/sessions\.html$/)
  expect(await page.evaluate('document.title')).toBe('1 incomplete · mdtest fix')
  await expectFirstScreen(page, id)
  expect(await page.evaluate('typeof hacked')).toBe('undefined')
  expect(await page.evaluate(`document.body.innerText.includes('<script>hacked=1</script>')`)).toBe(true)
  expect(await page.locator('#errors').innerText()).toContain('The session broken cannot be read')
  await expectKeys(page)
  await expectReadable(page)
  await page.close()
  expect(errors).toEqual([])
}

/** Result, what still fails, what to look at and how to go on. */
async function expectFirstScreen(page: Page, id: string): Promise<void> {
  const seen = await page.evaluate(
    `[...document.querySelectorAll('h2, .facts, .end, h3, .test > summary, .values dd, .document > ul li, .document > pre')].filter((each) => each.checkVisibility() && each.getBoundingClientRect().bottom <= innerHeight).map((each) => each.innerText).join('\\n')`,
  )
  for (const part of [
    ...['incomplete', '2 of 3 tests fail', 'All 2 attempts are used up.', 'adds sum.test.mjs:6', '-1'],
    ...['What to look at next', 'Is what it expects right?', `npx vitest-mdtest fix --resume ${id} --max-attempts 4`],
  ]) {
    expect(seen).toContain(part)
  }
}

async function expectKeys(page: Page): Promise<void> {
  const focused = (): Promise<unknown> => page.evaluate(`document.activeElement.dataset.step`)
  await page.keyboard.press('n')
  await expect.poll(focused, { timeout: 20_000 }).toBe('attempt-1')
  await page.evaluate(`location.hash = document.querySelector('[data-step="attempt-2"] .here').hash`)
  await expect.poll(focused, { timeout: 20_000 }).toBe('attempt-2')
  await page.locator('#filter').fill('no such name')
  expect(await page.getByText('No session is like that.').isVisible()).toBe(true)
  await page.keyboard.press('Escape')
}

async function expectReadable(page: Page): Promise<void> {
  mkdirSync(shots, { recursive: true })
  await expectAccessible(page, shots)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.locator('#controls').isVisible()).toBe(false)
  expect(await page.locator('.step').first().isVisible()).toBe(true)
}
