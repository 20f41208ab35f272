import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { summarizeCoverage, type CoveredSpec, type ProofState } from '../../src/coverage/compute-coverage.ts'
import { openReport } from '../../src/report/folder/report-folder.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { browserUnavailable, openBrowser } from '../support/open-browser.ts'
import { specRecord } from '../support/report-records.ts'

const pictures = fileURLToPath(new URL('../../reports/coverage-page', import.meta.url))
const evil = `"><img src=x onerror="hacked=1"></script><script>hacked=2</script>`
const endedAt = '2026-02-10T14:30:00.000Z'

function requirement(title: string, state: ProofState, isStale?: true): CoveredSpec['requirements'][number] {
  const stale = isStale === undefined ? {} : { isStale }
  const scenario = { title: `${title}, as it is`, line: 9, state, ...stale, endedAt, agent: 'claude' }
  return { title, line: 7, state, ...stale, scenarios: [scenario] }
}

const known = 'openspec/specs/cart #1/spec.md'
const specs: readonly CoveredSpec[] = [
  {
    spec: known,
    title: 'Cart',
    requirements: [
      requirement('Fill the cart', 'verified'),
      requirement('Count mugs', 'evidenced', true),
      requirement('Pay', 'failed'),
      requirement(evil, 'claimed'),
    ],
  },
  {
    spec: 'specs/001-till/spec.md',
    title: 'Till',
    requirements: [
      requirement('Open it', 'blocked'),
      { title: 'FR-001', text: 'The till MUST ring.', line: 30, state: 'never-run', scenarios: [] },
    ],
  },
]

test.skipIf(browserUnavailable !== undefined)(
  'a page of the report tells how well requirements are proved',
  async () => {
    const dir = join(await mkdtemp(join(tmpdir(), 'mdtest-page-')), 'report')
    await using browser = await openBrowser()
    try {
      const report = openReport({ dir, root: join(dir, '..') })
      report.putSpec(specRecord({ spec: known }))
      report.writeSummary({
        startedAt: '2026-02-10T14:30:00.000Z',
        specs: 1,
        otherTests: { pass: 0, fail: 0, skipped: 0 },
        errors: [],
      })
      report.writeCoverage({ specs, summary: summarizeCoverage(specs) })
      const errors: unknown[] = []
      const page = await browser.openPage()
      page.on('pageerror', (error) => errors.push(error))
      await page.goto(pathToFileURL(join(dir, 'index.html')).href)
      await page.getByText('1 of 6 requirements covered (16.6 %)').click()
      await page.locator('.requirement').first().waitFor()
      const texts = (selector: string): Promise<unknown> =>
        page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText)`)
      expect(await texts('.requirement h3 .label')).toEqual([
        'verified',
        'evidenced, stale',
        'failed',
        'claimed',
        'blocked',
        'never run',
      ])
      expect(await texts('#facts span')).toEqual([
        '1 of 6 requirements (16.6 %) at least evidenced and not stale',
        ...['1 verified', '1 evidenced', '1 claimed', '1 failed', '1 blocked', '1 never run', '1 stale'],
      ])
      expect(await texts('.requirement:last-child p')).toContain('No scenario proves it.')
      expect(await page.evaluate(`document.title`)).toBe('1 of 6 requirements covered')
      expect(await page.evaluate('typeof hacked')).toBe('undefined')
      await mkdir(pictures, { recursive: true })
      await expectAccessible(page, pictures)
      await page.locator('h2 a').click()
      await page.locator('.spec [open]').first().waitFor()
      expect(await page.evaluate(`decodeURIComponent(location.hash)`)).toBe(`#${known}`)
      expect(errors).toEqual([])
    } finally {
      await rm(join(dir, '..'), { recursive: true, force: true })
    }
  },
)
