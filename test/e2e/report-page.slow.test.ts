import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReport } from '../../src/report/folder/report-folder.ts'
import type { RunRecord } from '../../src/report/data/run-record.ts'
import type { SpecRecord } from '../../src/report/data/spec-record.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { browserUnavailable, openBrowser, type Browser, type Page } from '../support/open-browser.ts'
import { blockedRecord, reportedStep, richRecord, specRecord } from '../support/report-records.ts'

const far = { timeout: 120_000 }
const reports = fileURLToPath(new URL('../../reports/report-page', import.meta.url))
const evil = `"><img src=x onerror="hacked=1"></script><script>hacked=2</script>\u2028\ud800'`
const hostile = specRecord({
  spec: `a "quoted" <i>name</i> 100%.test.md`,
  title: evil,
  sources: [
    { text: `# ${evil}\n\n${evil}\n\n[link](javascript:hacked=3) <a href="javascript:hacked=4">x</a>\n\n## Add\n` },
  ],
  steps: [reportedStep({ line: 7, outcome: 'fail', reasons: [{ code: 'STEP_FAILED', message: `${evil}\n${evil}` }] })],
})

const claimed = specRecord({
  spec: 'word.test.md',
  title: 'Word',
  steps: [reportedStep({ assurance: 'claimed' }), reportedStep({ anchor: '2-look', assurance: 'verified' })],
})

const run: RunRecord = {
  startedAt: '2026-02-10T14:30:00.000Z',
  endedAt: '2026-02-10T14:30:12.000Z',
  wallTimeMs: 12_000,
  revision: { commit: '0123456789abcdef0123456789abcdef01234567', branch: 'spring', isModified: true },
  specs: 5,
  otherTests: { pass: 0, fail: 0, skipped: 0 },
  errors: [],
}

/** A report of these specs in a folder with an awkward name. */
async function writeReport(records: readonly SpecRecord[]): Promise<string> {
  const dir = join(await mkdtemp(join(tmpdir(), 'mdtest-page-')), `it's a "report" #1 50%`)
  await writeFile(join(dir, '../package.json'), JSON.stringify({ name: `it's a "project"` }))
  const report = openReport({ dir, root: join(dir, '..') })
  for (const record of records) report.putSpec(record)
  report.writeSummary(run)
  return dir
}

describe.skipIf(browserUnavailable !== undefined)('the page of a report, opened from disk', () => {
  let browser: Browser
  let dir: string
  let big: string
  const folders: string[] = []
  const errors: unknown[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    const image = 'images/0000000000000000.png'
    dir = await writeReport([richRecord(image), blockedRecord, specRecord(), hostile, claimed])
    await mkdir(join(dir, 'images'))
    await writeFile(join(dir, image), await screenshotOf(browser))
    big = await writeReport(thousand())
    folders.push(dir, big)
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    for (const folder of folders) await rm(join(folder, '..'), { recursive: true, force: true })
  })

  const open = async (hash = '', folder = dir): Promise<Page> => {
    const page = await browser.openPage()
    page.on('pageerror', (error) => errors.push(error))
    page.on('dialog', (dialog) => errors.push(dialog))
    await page.goto(`${pathToFileURL(join(folder, 'index.html')).href}${hash}`)
    return page
  }
  const focused = (page: Page): Promise<unknown> =>
    page.evaluate(
      `document.activeElement.closest('.step')?.dataset.step ?? document.activeElement.querySelector('.title')?.innerText`,
    )

  test('lists specs, what did not pass first, and tells blocked from failed', async () => {
    const page = await open()
    await page.locator('.spec').first().waitFor()
    expect(
      await page.evaluate(`[...document.querySelectorAll('.spec h2 .label')].map((label) => label.innerText)`),
    ).toEqual(['failed', 'blocked', 'passed', 'passed', 'claimed'])
    expect(await page.evaluate('document.title')).toBe('1 failed, 1 blocked, 2 passed, 1 claimed · Specs')
    expect(await page.locator('#facts').innerText()).toContain(
      '8 steps: 2 verified, 1 evidenced, 1 claimed, 2 failed, 1 blocked, 1 skipped',
    )
    await page.close()
  })

  test('opens a spec, and nothing in it is executed', async () => {
    const page = await open()
    await page.locator('#open-all').click()
    await page.locator('.spec:nth-child(1) .failure').first().waitFor()
    await page.locator('.spec:nth-child(3) .step').first().waitFor()
    expect(await page.evaluate(`document.body.innerText.includes('<script>hacked=2</script>')`)).toBe(true)
    expect(await page.evaluate('typeof hacked')).toBe('undefined')
    // Only pictures of the report itself, all of them there.
    expect(
      await page.evaluate(
        `[...new Set([...document.images].map((image) => image.getAttribute('src')).filter(Boolean))]`,
      ),
    ).toEqual(['images/0000000000000000.png'])
    await page.locator('img').first().waitFor()
    await page.close()
    expect(errors).toEqual([])
  })

  test('forbids scripts in what it shows, even if markup got there', async () => {
    const page = await open()
    await page.locator('.spec').first().waitFor()
    await page.evaluate(
      `document.querySelector('#nothing').innerHTML = '<img src=x onerror="hacked=5"><a id=a href="javascript:hacked=6">x</a>'; document.querySelector('#a').click()`,
    )
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))')
    expect(await page.evaluate('typeof hacked')).toBe('undefined')
    await page.close()
  })

  test.each([
    ['#shop/cart.test.md/2-pay-by-card', '2-pay-by-card'],
    [`#${encodeURIComponent(hostile.spec)}/1-add`, '1-add'],
  ])('follows the address %s', async (hash, step) => {
    const page = await open(hash)
    await page.locator('.step').first().waitFor()
    await expect.poll(() => focused(page), far).toBe(step)
    // A link in the page leads there too, also past a filter.
    await page.locator('#filter').fill('nothing is called this')
    expect(await page.getByText('No spec is like that.').isVisible()).toBe(true)
    await page.evaluate(`location.hash = '#till.test.md/1-add'`)
    await expect.poll(() => focused(page), far).toBe('1-add')
    await page.close()
  })

  /** The signs of a claimed and of another pass: no color alone tells them apart. */
  const signOf = `['.claimed .step .label.claimed', '.step .label.pass'].map((selector) =>
    getComputedStyle(document.querySelector(selector), '::before').content)`

  test('filters by outcome and text', async () => {
    const page = await open()
    const counts = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('#outcomes button')].map((button) => button.innerText).join(', ')`)
    const shown = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.spec:not([hidden]) h2 .label')].map((label) => label.innerText)`)
    await page.locator('#outcomes .blocked').click()
    expect(await shown()).toEqual(['blocked'])
    expect(await page.locator('#outcomes .blocked').getAttribute('aria-pressed')).toBe('true')
    await page.locator('#outcomes .claimed').click()
    await expect.poll(shown, far).toEqual(['claimed'])
    await page.locator('.spec.claimed summary').first().click()
    await page.locator('.spec.claimed .step').first().waitFor()
    const labels = `[...document.querySelectorAll('.spec.claimed .step .label')].map((label) => label.textContent)`
    expect(await page.evaluate(labels)).toEqual(['claimed', 'passed'])
    expect(await page.locator('.spec.claimed summary > .facts').innerText()).toContain("1 on the agent's word alone")
    expect(await page.evaluate(signOf)).toEqual(['"?" / ""', '"✓" / ""'])
    await page.locator('#outcomes .all').click()
    expect(await counts()).toBe('5 all, 1 failed, 1 blocked, 2 passed, 1 claimed')
    await page.locator('#filter').fill('verify_failed CARD')
    expect(await shown()).toEqual(['failed'])
    expect(await counts()).toBe('1 all, 1 failed, 0 blocked, 0 passed, 0 claimed')
    expect(await page.locator('#nothing').innerText()).toBe('1 of 5 specs')
    await page.locator('#outcomes .blocked').click()
    expect(await counts()).toBe('1 all, 1 failed, 0 blocked, 0 passed, 0 claimed')
    expect(await page.locator('#nothing').innerText()).toBe('No spec is like that.')
    await page.locator('#outcomes .all').click()
    await page.locator('#filter').fill('')
    expect(await counts()).toBe('5 all, 1 failed, 1 blocked, 2 passed, 1 claimed')
    expect(await page.evaluate(`document.querySelectorAll('.spec:not([hidden])').length`)).toBe(5)
    await page.close()
  })

  test('says what was tested, by whom, and how long it took', async () => {
    const page = await open()
    await page.locator('.spec').first().waitFor()
    const project = 'it\'s a "project"'
    expect(await page.locator('h1').innerText()).toBe(project)
    expect(
      await page.evaluate(`[...document.querySelectorAll('#subject div')].map((part) => part.innerText.split(/\\n+/))`),
    ).toEqual([
      ['Base URL', 'http://shop.test/'],
      ['Agent', 'browser'],
      ['Model', 'model-1'],
      ['Branch', 'spring'],
      ['Commit', '0123456789 with changes'],
      ['Wall time', '12.0 s'],
      ['Started', expect.stringContaining('2026')],
    ])
    await page.close()
  })

  test('is read by keyboard', async () => {
    const page = await open()
    await page.locator('.spec').first().waitFor()
    await page.evaluate(`document.querySelector('#open-all').focus()`)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Cart and payment')
    expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe('solid')
    await page.keyboard.press('Enter')
    await page.locator('.spec:nth-child(1) .step').first().waitFor()
    expect(await page.evaluate('location.hash')).toBe('#shop/cart.test.md')
    await page.close()
  })

  test('can be read of specs without steps or a title, of long titles, and of none', async () => {
    const long = `${'A title like a paragraph, '.repeat(40)}${'x'.repeat(400)}`
    const lost = { steps: [], problems: [{ message: 'It cannot be read.' }] }
    const odd = await writeReport([
      specRecord({ ...lost, spec: 'empty.test.md', title: '', outcome: 'blocked', sources: [] }),
      specRecord({ ...lost, spec: 'lost.test.md', title: 'Same', outcome: 'fail' }),
      specRecord({ spec: 'long.test.md', title: long, sources: [{ text: `# ${long}\n\n## Add\n\n${long}\n` }] }),
      specRecord({ spec: 'same.test.md', title: 'Same' }),
    ])
    const none = await writeReport([])
    folders.push(odd, none)
    const page = await open('', odd)
    await page.setViewportSize({ width: 390, height: 900 })
    await page.locator('#open-all').click()
    await page.locator('.spec:nth-child(4) .step').waitFor()
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.spec .title')].map((title) => title.innerText.slice(0, 13))`,
      ),
    ).toEqual(['Same', 'empty.test.md', 'A title like ', 'Same'])
    expect(await page.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true)
    await page.close()
    const empty = await open('', none)
    expect(await empty.locator('#nothing').innerText()).toBe('There is no spec yet.')
    await empty.close()
    expect(errors).toEqual([])
  })

  test('is accessible in light, dark, narrow and in print', async () => {
    await mkdir(reports, { recursive: true })
    const page = await open('#shop/cart.test.md')
    await page.locator('.step').first().waitFor()
    await page.locator('#open-all').click()
    await page.locator('.spec:nth-child(4) .step').first().waitFor()
    await expectAccessible(page, reports)
    // Print leaves out what only a screen has a use for.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('#controls').isVisible()).toBe(false)
    expect(await page.locator('.step').first().isVisible()).toBe(true)
    expect(await page.evaluate(`getComputedStyle(document.documentElement).colorScheme`)).toBe('light')
    await page.close()
  })

  test('shows 1 000 specs, the content of each when it is opened', async () => {
    const page = await open('#specs/500.test.md/1-add', big)
    await expect.poll(() => focused(page), far).toBe('1-add')
    expect(await page.locator('.spec').count()).toBe(1000)
    expect(await page.locator('.step').count()).toBe(1)
    expect((await readFile(join(big, 'summary.js'))).length).toBeLessThan(1024 ** 2)
    await page.locator('#open-all').click()
    await page.locator('.spec:nth-child(1) .step').waitFor()
    await expect.poll(() => page.locator('.spec [open] .step').count(), far).toBe(1000)
    await page.close()
  })
})

function thousand(): readonly SpecRecord[] {
  const outcomes = ['pass', 'pass', 'pass', 'fail', 'blocked', 'skipped'] as const // literals
  return Array.from({ length: 1000 }, (_, index) => {
    const outcome = outcomes[index % outcomes.length] ?? 'pass'
    return specRecord({
      spec: `specs/${index}.test.md`,
      title: `Spec ${index}`,
      outcome,
      steps: [reportedStep({ outcome })],
    })
  })
}

/** Some picture. */
async function screenshotOf(browser: Browser): Promise<Buffer> {
  const page = await browser.openPage()
  const folder = await mkdtemp(join(tmpdir(), 'mdtest-shot-'))
  try {
    await page.evaluate(
      `document.body.innerHTML = '<h1>Blue mugs</h1><button>Add to cart</button><p>Cart: 1 item, 12 €</p>'`,
    )
    await page.screenshot({ path: join(folder, 'a.png') })
    return await readFile(join(folder, 'a.png'))
  } finally {
    await page.close()
    await rm(folder, { recursive: true })
  }
}
