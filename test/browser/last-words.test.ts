import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs, type BrowserProject } from '../support/browser-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import type { ModelReply } from '../support/model-server.ts'
import { startOddPages } from '../support/odd-pages.ts'
import { openBrowser } from '../support/open-browser.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { open, see } from '../support/scripts/browser-moves.ts'

const lookAround: ModelReply = { kind: 'answer', calls: [{ name: 'browser_snapshot', input: {} }] }
const greenReport: ModelReply = {
  kind: 'answer',
  text: 'It is green.',
  calls: [{ name: 'report_step', input: { step: '1-look-around', status: 'green' } }],
}

/** How a model ends that reports nothing: its last answer, the verdict, and what a reader is told of it. */
const ends: Readonly<Record<string, readonly [answer: ModelReply, verdict: string, told: readonly string[]]>> = {
  refusal: [
    { kind: 'answer', text: 'I cannot help with that.', ending: 'refusal' },
    'blocked MODEL_UNAVAILABLE',
    ['refused, or a filter of its provider did', 'content-filter', 'I cannot help with that.'],
  ],
  filter: [
    { kind: 'answer', text: 'So', ending: 'filter' },
    'blocked MODEL_UNAVAILABLE',
    ['refused, or a filter of its provider did', 'content-filter', '"So"'],
  ],
  'cut-off': [
    { kind: 'answer', text: 'I thi', ending: 'cut-off' },
    'blocked MODEL_UNAVAILABLE',
    ['was cut off', 'length', 'I thi'],
  ],
  'refused-reports': [
    greenReport,
    'fail STEP_UNREPORTED',
    ['its reports were refused again and again', '10 reports were refused, the last one', 'It is green.'],
  ],
}

const spec = '# Shop\n\n## Look around\n\nLook around.\n'
/** One page with errors is left in the first step, by another address. */
const leftSpec = '# Left\n\n## Leave\n\n- [ ] It is broken\n- [ ] It starts\n\n## Come again\n\n- [ ] It starts\n'
const start = [open('/'), see(/Start/)]
const leave = browse({ left: [[open('/broken'), see(/Broken/), ...start], start] })

describe.skipIf(skipReason !== '')(`what is told of a browser's run that left no log${skipReason}`, () => {
  let run: { readonly stdout: string; readonly all: string }
  let report = ''
  const shown: Record<string, string> = {}

  beforeAll(async () => {
    await using pages = await startOddPages()
    await using browser: BrowserProject = await createBrowserProject({
      script: (conversation) => {
        const name = specName(conversation)
        if (name === 'left') return leave(conversation)
        const last = ends[name]?.[0] ?? { kind: 'answer', text: 'OK' }
        return conversation.results.length === 0 && !conversation.isSideRequest ? lookAround : last
      },
      options: { baseUrl: pages.url },
      test: { reporters: ['json', 'vitest-mdtest/reporter'] },
      files: {
        'left.test.md': leftSpec,
        ...Object.fromEntries(Object.keys(ends).map((name) => [`${name}.test.md`, spec])),
      },
    })
    const { project, env } = browser
    run = await project.vitest(['run'], { env, timeoutMs })
    for (const name of Object.keys(ends)) shown[name] = (await project.mdtest(['show', `${name}.test.md`])).all
    await using chromium = await openBrowser()
    const page = await chromium.openPage()
    await page.goto(pathToFileURL(project.path('mdtest-report/index.html')).href)
    await page.locator('#open-all').click()
    const areOpen = `[...document.querySelectorAll('.content')].every((one) => one.childElementCount > 0)`
    await vi.waitFor(async () => expect(await page.evaluate(areOpen)).toBe(true), { timeout: 20_000 })
    // Of each spec by its path, with what is folded.
    report = String(
      await page.evaluate(
        `for (const one of document.querySelectorAll('details')) one.open = true; JSON.stringify(Object.fromEntries([...document.querySelectorAll('.spec')].map((one) => [one.querySelector('.path').textContent, one.innerText])))`,
      ),
    )
  }, timeoutMs + 60_000)

  test.each(Object.entries(ends))('%s: finish reason, last words and refused reports', (name, [, verdict, told]) => {
    const reported = String(JSON.parse(report)[`${name}.test.md`]).replace(/\s+/g, ' ')
    expect(verdictsOf(run.stdout, `${name}.test.md`), run.all).toEqual([verdict])
    for (const words of told) {
      expect(shown[name]?.replace(/\s+/g, ' ')).toContain(words)
      expect(reported).toContain(words)
    }
  })

  test.each(Object.keys(ends))('%s: no log is named that is not there', (name) => {
    expect(run.all).not.toContain(`Log: ${name}.logs`)
    expect(shown[name]).not.toContain('result log  ')
    expect(JSON.parse(report)[`${name}.test.md`]).not.toMatch(/result log \d/)
  })

  test('errors of a page that was left are told once, at the step that left it', () => {
    const text = String(JSON.parse(report)['left.test.md'])
    expect(verdictsOf(run.stdout, 'left.test.md'), run.all).toEqual(['pass observed', 'pass observed'])
    expect(text.match(/\d console errors?, .*failed \(.*\)/g)).toEqual(['3 console errors, 1 request failed (404)'])
    expect(text).toMatch(/Leave[^]*no till[^]*no drawer[^]*gone: 404[^]*Come again/)
  })
})
