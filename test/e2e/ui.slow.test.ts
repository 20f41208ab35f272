import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { usersLane } from '../support/users-lane.ts'
import { happensWithin } from '../support/leftovers.ts'
import { browserUnavailable, openBrowser, type Browser } from '../support/open-browser.ts'
import { createReporterProject } from '../support/reporter-project.ts'
import { serveFolder } from '../support/serve-folder.ts'

describe('in a browser', () => {
  const missing = usersLane.unavailable ?? browserUnavailable
  const title = (text: string): string => (missing ? `${text} (skipped: ${missing})` : text)
  const run = test.skipIf(missing !== undefined)

  run(title('@vitest/ui and the reporter `html` show headings, annotations and the log in a browser'), async () => {
    await using project = await createReporterProject()
    const port = await freePort()
    const reporters = ['--reporter=default', '--reporter=html']
    const args = ['--ui', '--watch', '--open=false', '--api.host=127.0.0.1', `--api.port=${port}`, ...reporters]
    const running = project.start('vitest', args, { env: project.env })
    try {
      let printed = ''
      running.all?.on('data', (text: Buffer) => (printed += text.toString()))
      // The line comes last, when the report is written, too.
      await happensWithin(120_000, () => printed.includes('HTML  Report is generated'))
      const [ui = ''] = /http:\/\/127\.0\.0\.1:\d+\/__vitest__\/\S*/.exec(printed) ?? []
      expect(ui, printed).not.toBe('')
      await using browser = await openBrowser()
      await expectSpecs(browser, ui)
      // Vitest 5 has a place of its own for the report.
      await using site = await serveFolder(['html', '.vitest'].map(project.path).find((path) => existsSync(path)) ?? '')
      await expectSpecs(browser, site.url)
    } finally {
      running.kill()
      await running
    }
  })
})

/** Looks for a step as a user does, and for one that failed. */
async function expectSpecs(browser: Browser, url: string): Promise<void> {
  const page = await browser.openPage()
  await page.goto(url)
  const search = page.getByPlaceholder(/Search/)
  await search.fill('Empty the cart')
  await page.locator('text=Empty the cart >> visible=true').last().click()
  await page.getByText('Test Annotations').waitFor()
  const passed = await page.locator('body').innerText()
  expect(passed).toMatch(/shop\.test\.md[\s\S]*Shop[\s\S]*Empty the cart/)
  expect(passed).toMatch(/mdtest:assurance\s+verified/)
  expect(passed).toMatch(/mdtest:log\s+Download\s+shop\.logs\//)
  const log = decodeURIComponent((await page.locator('a[download]').first().getAttribute('href')) ?? '')
  expect(log).toContain('"observed": "it printed in the cart: 0 mugs"')
  await search.fill('Pay by card')
  await page.locator('text=Pay by card >> visible=true').last().click()
  await page.getByText('AGENT_BLOCKED').first().waitFor()
  const blocked = await page.locator('body').innerText()
  expect(blocked).toContain('It says: "there is no card reader | no <till> here".')
  expect(blocked).toMatch(/mdtest:outcome\s+blocked/)
  await page.close()
}
