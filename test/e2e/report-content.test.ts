import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReport } from '../../src/report/folder/report-folder.ts'
import type { SpecRecord } from '../../src/report/data/spec-record.ts'
import { browserUnavailable, openBrowser, type Browser, type Page } from '../support/open-browser.ts'
import { reportedStep, richRecord, specRecord } from '../support/report-records.ts'

let browser: Browser
let page: Page
let folder: string
beforeAll(async () => {
  if (browserUnavailable !== undefined) return
  folder = await mkdtemp(join(tmpdir(), 'mdtest-content-'))
  browser = await openBrowser()
  page = await browser.openPage()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await rm(folder ?? '', { recursive: true, force: true })
})

/** What the page of a report shows of its only spec, as HTML. */
async function contentOf(record: SpecRecord): Promise<string> {
  const dir = await mkdtemp(join(folder, 'report-'))
  const report = openReport({ dir, root: folder })
  report.putSpec(record)
  const otherTests = { pass: 0, fail: 0, skipped: 0 }
  report.writeSummary({ startedAt: record.startedAt, specs: 1, otherTests, errors: [] })
  await page.goto(pathToFileURL(join(dir, 'index.html')).href)
  await page.locator('.content:not(:empty)').waitFor()
  return String(await page.evaluate(`document.querySelector('.content').innerHTML`))
}

const render = (given: Partial<SpecRecord>): Promise<string> => contentOf(specRecord(given))

describe.skipIf(browserUnavailable !== undefined)('a spec as a document', () => {
  test('has what became of each step at its heading and behind its text', async () => {
    const text = await contentOf(richRecord('images/00.png'))
    const order = [
      ...['class="step pass" data-step="1-put-a-mug-into-the-cart"', 'Put a mug into the cart', 'evidenced'],
      ...['8.4 s', 'choose the blue mug', '<q>1 item in your cart</q>', 'src="images/00.png"', '3 tool calls'],
      ...['class="step fail" data-step="2-pay-by-card"', 'VERIFY_FAILED', 'reported as passed: the page thanks'],
      ...['class="step skipped"', 'The card was accepted at once.'],
    ]
    expect(order.map((part) => text.indexOf(part)).toSorted((one, other) => one - other)).toEqual(
      order.map((part) => text.indexOf(part)),
    )
    expect(order.filter((part) => !text.includes(part))).toEqual([])
    expect(text).toContain('<span class="diff-expected">- "paid"</span>\n<span class="diff-received">+ "open"</span>')
    expect(text).toContain('#shop/cart.test.md/2-pay-by-card')
    // The title of the spec stands above it.
    expect(text).not.toContain('>Cart and payment</h')
    expect(await render({ title: 'Other' })).toContain('<h3>Shop</h3>')
  })

  test('says who carried out a step, and why its recording did not fit', async () => {
    const reason = { code: 'REPLAY_DIFFERS', message: 'Else <b>came</b>.\n- tea', file: 'shop.recording.md', line: 12 }
    const text = await render({ steps: [reportedStep({ source: { kind: 'handed-over', reason } })] })
    const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain('<span class="source handed-over">handed over: REPLAY_DIFFERS</span>')
    expect(plain).toContain(
      'recording did not fit: Else &lt;b&gt;came&lt;/b&gt;. REPLAY_DIFFERS shop.recording.md:12 - tea',
    )
    expect(await render({ steps: [reportedStep({ source: { kind: 'replayed' } })] })).toContain(
      '<span class="source replayed">replayed</span>',
    )
    expect(await render({ steps: [reportedStep()] })).not.toContain('class="source')
  })

  test('says whose executor were at it', async () => {
    const executor = { sandbox: 'none', why: 'it is off' } as const // a literal name
    const text = await render({ steps: [reportedStep({ assurance: 'witnessed', executor })] })
    expect(text).toContain(
      '<span class="assurance witnessed">witnessed</span> <span>executor mdtest, no sandbox: it is off</span>',
    )
  })

  test('leaves out no level of headings', async () => {
    const text = await render({
      title: 'Other',
      sources: [{ text: '### A\n\n###### B\n\n## C\n\n# D\n\n## E\n' }],
      steps: [],
    })
    expect([...text.matchAll(/<(h\d)>(.)/g)].map(([, level, title]) => `${level} ${title}`)).toEqual([
      'h3 A',
      'h4 B',
      'h3 C',
      'h3 D',
      'h4 E',
    ])
  })

  test('marks checks where they stand', async () => {
    const text = await contentOf(richRecord('images/00.png'))
    expect(text).toMatch(
      /<li[^>]*><span class="label pass">passed<\/span>[^<]*The badge of the cart reads 1<p class="said"><b>Agent<\/b> it reads 1<\/p>/,
    )
    expect(text).toMatch(/<span class="label skipped">not reported<\/span>[^<]*The customer gets a mail/)
    expect(text).not.toContain('<input')
  })

  test('puts the rows of a table behind it, with the checks of each', async () => {
    const check = { n: 1, line: 3, text: 'is there', status: 'fail' as const }
    const text = await render({
      sources: [{ text: '# Sums\n\n- [ ] is there\n\n| a |\n|---|\n| 1 |\n| 2 |\n\n## After\n' }],
      steps: [7, 8].map((line) =>
        reportedStep({ anchor: `row-${line}`, titles: [`row ${line}`], line, checks: [check] }),
      ),
    })
    expect(text.indexOf('</table>')).toBeLessThan(text.indexOf('row-7'))
    expect(text.indexOf('row-8')).toBeLessThan(text.indexOf('After'))
    expect(text.match(/<span class="label fail">failed<\/span> is there/g)).toHaveLength(2)
  })

  test('shows included files, and steps that stand nowhere', async () => {
    const text = await render({
      sources: [{ text: '# Shop\n' }, { file: 'parts/login.md', text: '## Log in\n\nAs a customer.\n' }],
      steps: [
        reportedStep({ anchor: '1-log-in', line: 1, file: 'parts/login.md' }),
        reportedStep({ anchor: '2-gone', titles: ['Shop', 'Gone'], line: 99, file: 'parts/gone.md' }),
      ],
    })
    expect(text).toMatch(
      /From <code>parts\/login\.md<\/code>[^]*data-step="1-log-in"[^]*As a customer\.[^]*data-step="2-gone"[^]*Gone/,
    )
  })

  test('is there without its markdown: on another machine', async () => {
    expect(await render({ sources: [] })).toContain('data-step="1-add"')
  })
})

describe.skipIf(browserUnavailable !== undefined)('a step that did not pass', () => {
  const sight = 'Saw a total of €27.00,\nnot of €24.30.'
  const failed = reportedStep({
    outcome: 'fail',
    said: { status: 'fail', observed: sight, evidence: [{ quote: 'status [ref=f3e30]: "Total: €27.00"' }] },
    reasons: [
      { code: 'STEP_FAILED', message: `The agent reports a failure. It says: "${sight}".`, line: 3 },
      { code: 'CHECK_FAILED', message: `Check 1 "The total" is not met. The agent says: ${sight}`, line: 5 },
    ],
    checks: [{ n: 1, line: 5, text: 'The total', status: 'fail', observed: sight }],
  })
  const sources = [{ text: '# Shop\n\n## Add\n\n- [ ] The total\n' }]

  test('says once what was seen, first, then the codes', async () => {
    const text = await render({ sources, steps: [failed] })
    expect(text.match(/Saw a total/g)).toHaveLength(1)
    expect(text).toMatch(
      /<\/h3>\s*<div class="account"><div class="failure">\s*<p class="seen">Saw a total[^]*STEP_FAILED[^]*line 3[^]*CHECK_FAILED[^]*line 5[^]*<li/,
    )
    expect(text).toContain('<q>status: "Total: €27.00"</q>')
  })

  test('says all that the agent did not', async () => {
    const reasons = [...failed.reasons, { code: 'VERIFY_FAILED', message: '`jq`: other output\n- a\n+ b' }]
    const text = await render({ sources, steps: [{ ...failed, reasons }] })
    expect(text).toMatch(
      /Saw a total[^]*<code>jq<\/code>: other output <code>VERIFY_FAILED<\/code>[^]*<span class="diff-received">\+ b/,
    )
    const silent = await render({
      sources,
      steps: [reportedStep({ outcome: 'fail', reasons: [{ code: 'X', message: 'Y.' }] })],
    })
    expect(silent).toMatch(/<div class="failure">\s*<div class="reason">\s*<p>Y\. <code>X<\/code>/)
    expect(await render({ sources })).not.toContain('class="failure"')
  })
})

describe.skipIf(browserUnavailable !== undefined)('what a browser showed and told', () => {
  const images = [{ name: '01-1-add.jpg', path: 'images/00.jpg' }]
  const files = ['console', 'network'].map((part) => ({ title: `01-1-add.${part}.txt`, bytes: 9, path: 'logs/a.txt' }))
  const findings = {
    consoleErrors: { count: 3, first: ['a <b>', 'c'] },
    failedRequests: { count: 1, statuses: ['404'], first: ['GET http://localhost/help: 404 Not Found'] },
  }

  test('has the names of steps, and findings also at a pass', async () => {
    const text = await render({ steps: [reportedStep({ images, files, findings })] })
    expect(text).toContain(
      '<a class="shot" href="images/00.jpg" target="_blank"><img src="images/00.jpg" alt="Screenshot: Add"',
    )
    expect([...text.matchAll(/<a href="logs[^>]*>(.*?)<\/a>/g)].map(([, name]) => name)).toEqual(['console', 'network'])
    expect(text).toContain('<summary>3 console errors, 1 request failed (404)</summary>')
    expect(text).toContain('<li><code>a &lt;b&gt;</code></li>')
    expect(text).toContain('and 1 more')
    expect(text).not.toContain('01-1-add')
    expect(await render({ steps: [reportedStep({ outcome: 'fail', findings })] })).toContain('class="findings" open')
  })

  test('has no marks of elements and one header of a page', async () => {
    const excerpt =
      '### Page\n- Page URL: http://a/\n### Page\n- Page URL: http://a/b\n### Snapshot\n- link "Pay" [active] [ref=e38] [cursor=pointer]'
    const call = { at: '2026-02-10T14:30:05Z', kind: 'browser' } as const // literals
    const title = 'browser_type {"element":"Coupon","target":"f2e33","text":"SPRING10","submit":false}'
    const text = await render({ steps: [reportedStep({ calls: [{ ...call, title, excerpt }] })] })
    expect(text).toContain('<code>type Coupon “SPRING10”</code>')
    expect(text).toContain('<pre tabindex="0">### Page\n- Page URL: http://a/b\n### Snapshot\n- link "Pay"</pre>')
    // Other programs may print what looks like it.
    const command = { ...call, kind: 'command' as const, title: 'cat {"target":"e1"}', excerpt: 'a [ref=e1]' }
    expect(await render({ steps: [reportedStep({ calls: [command] })] })).toContain('a [ref=e1]')
  })

  test('has what the model said where it wrote no log, and the address of the application', async () => {
    const run = {
      scenario: 'Shop',
      narrative: '',
      lastWords: 'I <cannot>.',
      otherCalls: [],
      notes: [],
      images: [],
      files: [],
    }
    const text = await render({ baseUrl: 'http://shop.test/', runs: [run] })
    expect(text).toContain('I &lt;cannot&gt;.')
    expect(text).toContain('on http://shop.test/')
  })
})

test.skipIf(browserUnavailable !== undefined)(
  'each of several scenarios has its title, what became of it, and what its agent did below it',
  async () => {
    const run = { narrative: '', otherCalls: [], notes: [], images: [], files: [] }
    const step = (
      ordinal: number,
      line: number,
      given: Parameters<typeof reportedStep>[0],
    ): ReturnType<typeof reportedStep> =>
      reportedStep({ anchor: ordinal === 1 ? '1-a' : `${ordinal}/1-a`, line, ...given })
    const text = await render({
      title: 'shop.test.md',
      sources: [{ text: '# One\n\n## A\n\na\n\n# Two\n\n## A\n\nb\n' }],
      scenarios: [
        { ordinal: 1, title: 'One', line: 1 },
        { ordinal: 2, title: 'Two', line: 7 },
      ],
      steps: [step(1, 3, {}), step(2, 9, { outcome: 'fail' })],
      runs: [
        { ...run, ordinal: 2, scenario: 'Two', agent: 'second' },
        { ...run, ordinal: 1, scenario: 'One', agent: 'first' },
      ],
    })
    const order = ['<h3>One', 'label pass', 'data-step="1-a"', '<b>first</b>', '<h3>Two', 'label fail', '<b>second</b>']
    const places = order.map((part) => text.indexOf(part))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
  },
)

test.skipIf(browserUnavailable !== undefined)(
  'of a scenario without a step that is known nothing is said',
  async () => {
    const sources = [{ text: '# One\n\na\n\n# Two\n\nb\n' }]
    const scenarios = [
      { ordinal: 1, title: 'One', line: 1 },
      { ordinal: 2, title: 'Two', line: 5 },
    ]
    const text = await render({
      title: 'x',
      outcome: 'fail',
      sources,
      scenarios,
      steps: [],
      problems: [{ message: 'It is.' }],
    })
    expect(text).toMatch(/It is\.[^]*<h3>One<\/h3>[^]*<h3>Two<\/h3>/)
    expect(text).not.toMatch(/skipped|0 steps/)
  },
)

describe.skipIf(browserUnavailable !== undefined)('text of any origin', () => {
  const evil = '"><img src=x onerror=alert(1)></script><script>alert(2)</script>\u202e\u0007'

  test('is shown and not obeyed, wherever it stands', async () => {
    const reason = { code: evil, message: `${evil}\n${evil}`, file: evil, line: 1 }
    const call = {
      at: '2026-02-10T14:30:05Z',
      kind: 'other' as const,
      title: evil,
      excerpt: evil,
    }
    const step = reportedStep({
      anchor: evil,
      titles: [evil],
      file: evil,
      reasons: [reason],
      expected: [reason],
      said: { status: 'fail', observed: evil, evidence: [evil, { quote: evil }] },
      checks: [{ n: 1, text: evil, status: 'pass', observed: evil, evidence: [{ quote: evil }] }],
      calls: [call],
    })
    const record = specRecord({
      spec: `${evil}.test.md`,
      project: evil,
      title: evil,
      sources: [
        {
          text: `${evil}\n\n# ${evil}\n\n- [ ] ${evil}\n\n\`\`\`${evil}\n${evil}\n\`\`\`\n\n[${evil}](javascript:alert(1))\n`,
        },
        { file: evil, text: evil },
      ],
      problems: [{ message: evil }],
      steps: [
        step,
        {
          ...step,
          checks: [{ n: 1, line: 5, text: evil, status: 'pass', observed: evil, evidence: [{ quote: evil }] }],
        },
      ],
      runs: [
        {
          scenario: evil,
          agent: evil,
          narrative: evil,
          otherCalls: [call],
          notes: [evil],
          images: [{ name: evil, path: 'images/a.png' }],
          files: [{ title: evil, bytes: 1 }],
        },
      ],
    })
    const text = await contentOf(record)
    const tags = new Set([...text.matchAll(/<([a-z]+\d?)/g)].map(([, name]) => name))
    expect([...tags].filter((name) => name === 'script' || name === 'input')).toEqual([])
    expect(
      [...text.matchAll(/<img[^>]*>/g)].map(([tag]) => tag).every((tag) => tag.startsWith('<img src="images/a.png"')),
    ).toBe(true)
    // Attributes stand in quotes that no text can close.
    expect(text.replaceAll(/<[a-z]\w*(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\s*\/?>|<\/[a-z]\w*>/g, '')).not.toContain('<')
    expect(text).not.toMatch(/href="\s*javascript/i)
  })
})
