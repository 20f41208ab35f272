import { describe, expect, test } from 'vitest'
import { renderSpec } from '../../../src/report/render/render-spec.ts'
import type { SpecRecord } from '../../../src/report/records/spec-record.ts'
import { reportedStep, richRecord, specRecord } from '../../support/report-records.ts'

function render(given: Partial<SpecRecord>): string {
  return renderSpec(specRecord(given), '..').text
}

describe('a spec as a document', () => {
  test('has what became of each step at its heading and behind its text', () => {
    const text = renderSpec(richRecord('images/00.png'), '..').text
    const order = [
      'class="step pass" data-step="1-put-a-mug-into-the-cart"',
      'Put a mug into the cart',
      'evidenced',
      '8.4 s',
      'choose the blue mug',
      '<q>1 item in your cart</q>',
      'src="images/00.png"',
      '3 tool calls',
      'class="step fail" data-step="2-pay-by-card"',
      'VERIFY_FAILED',
      'reported as passed: the page thanks',
      'class="step skipped"',
      'The card was accepted at once.',
    ]
    expect(order.map((part) => text.indexOf(part)).toSorted((one, other) => one - other)).toEqual(
      order.map((part) => text.indexOf(part)),
    )
    expect(order.filter((part) => !text.includes(part))).toEqual([])
    expect(text).toContain('<span class="removed">- &#34;paid&#34;</span>\n<span class="added">+ &#34;open&#34;</span>')
    expect(text).toContain('#shop/cart.test.md/2-pay-by-card')
    // The title of the spec stands above it.
    expect(text).not.toContain('>Cart and payment</h')
    expect(render({ title: 'Other' })).toContain('<h3>Shop</h3>')
  })

  test('says who carried out a step, and what became of its recording', () => {
    const reason = { code: 'REPLAY_DIFFERS', message: 'Else came.\n- tea', file: 'shop.recording.md', line: 12 }
    const refusal = { code: 'VACUOUS', message: 'It would <b>pass</b>.', line: 3 }
    const text = render({ steps: [reportedStep({ source: { kind: 'handed-over', reason, refusal } })] })
    const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain('<span class="source handed-over">handed over: REPLAY_DIFFERS</span>')
    expect(plain).toContain('recording did not fit: REPLAY_DIFFERS shop.recording.md:12 Else came. - tea')
    expect(plain).toContain('Not recorded: VACUOUS line 3 It would &#60;b&#62;pass&#60;/b&#62;.')
    expect(render({ steps: [reportedStep({ source: { kind: 'replayed' } })] })).toContain(
      '<span class="source replayed">replayed</span>',
    )
    expect(render({ steps: [reportedStep()] })).not.toContain('class="source')
  })

  test('says whose hands were at it', () => {
    const hands = { sandbox: 'none', why: 'it is off' } as const // a literal name
    const text = render({ steps: [reportedStep({ assurance: 'witnessed', hands })] })
    expect(text).toContain('<span>witnessed</span> <span>hands mdtest, no sandbox: it is off</span>')
  })

  test('leaves out no level of headings', () => {
    const text = render({
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

  test('marks checks where they stand', () => {
    const text = renderSpec(richRecord('images/00.png'), '..').text
    expect(text).toMatch(
      /<li[^>]*><span class="label pass">passed<\/span>[^<]*The badge of the cart reads 1<span class="said">it reads 1<\/span>/,
    )
    expect(text).toMatch(/<span class="label unknown">not reported<\/span>[^<]*The customer gets a mail/)
    expect(text).not.toContain('<input')
  })

  test('puts the rows of a table behind it, with the checks of each', () => {
    const check = { n: 1, line: 3, text: 'is there', status: 'fail' as const }
    const text = render({
      sources: [{ text: '# Sums\n\n- [ ] is there\n\n| a |\n|---|\n| 1 |\n| 2 |\n\n## After\n' }],
      steps: [7, 8].map((line) =>
        reportedStep({ anchor: `row-${line}`, titles: [`row ${line}`], line, checks: [check] }),
      ),
    })
    expect(text.indexOf('</table>')).toBeLessThan(text.indexOf('row-7'))
    expect(text.indexOf('row-8')).toBeLessThan(text.indexOf('After'))
    expect(text.match(/<span class="label fail">failed<\/span> is there/g)).toHaveLength(2)
  })

  test('shows included files, and steps that stand nowhere', () => {
    const text = render({
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

  test('is there without its markdown: on another machine', () => {
    expect(render({ sources: [] })).toContain('data-step="1-add"')
  })

  test('is its plain text where the parser would take too long', () => {
    expect(render({ sources: [{ text: `# A\n${'*a **b '.repeat(5000)}` }] })).toContain('<pre tabindex="0"># A')
  })
})

describe('text of any origin', () => {
  const evil = '"><img src=x onerror=alert(1)></script><script>alert(2)</script>\u202e\u0007'

  test('is shown and not obeyed, wherever it stands', () => {
    const reason = { code: evil, message: `${evil}\n${evil}`, file: evil, line: 1 }
    const call = {
      id: evil,
      at: '2026-02-10T14:30:05Z',
      step: null,
      kind: 'other' as const,
      title: evil,
      excerpt: evil,
      activity: true,
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
    const text = renderSpec(record, '..').text
    const tags = new Set([...text.matchAll(/<([a-z]+\d?)/g)].map(([, name]) => name))
    expect([...tags].filter((name) => name === 'script' || name === 'input')).toEqual([])
    expect(
      [...text.matchAll(/<img[^>]*>/g)].map(([tag]) => tag).every((tag) => tag.startsWith('<img src="images/a.png"')),
    ).toBe(true)
    // Attributes stand in quotes that no text can close.
    expect(text.replaceAll(/<[a-z]\w*(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\s*\/?>|<\/[a-z]\w*>/g, '')).not.toContain('<')
    expect(text).not.toMatch(/href="\s*javascript/i)
  })

  test.each([
    ['[a](javascript:alert(1))', undefined],
    ['[a](JaVaScRiPt:alert(1))', undefined],
    ['[a](java&#10;script:alert(1))', undefined],
    ['[a](<\tjavascript:alert(1)>)', undefined],
    ['[a](data:text/html,x)', undefined],
    ['[a](//evil.example)', undefined],
    ['[a](\\\\evil.example)', '../shop/%5Cevil.example'],
    ['[a](/etc/passwd)', undefined],
    ['[a](#below)', undefined],
    ['[a][r]\n\n[r]: vbscript:x', undefined],
    ['[a](https://example.com/?a=1)', 'https://example.com/?a=1'],
    ['[a](mailto:a@example.com)', 'mailto:a@example.com'],
    ['[a](../docs/a.md)', '../docs/a.md'],
    ['![a](a.png)', '../shop/a.png'],
  ])('%j leads to %s', (markdown, href) => {
    const text = render({ spec: 'shop/a.test.md', sources: [{ text: markdown }], steps: [] })
    expect(/href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#x26;', '&')).toBe(href)
    expect(text).not.toContain('<img')
  })

  test('raw HTML is what it says', () => {
    const text = render({ sources: [{ text: 'a <b>c</b>\n\n<iframe src="x"></iframe>\n' }], steps: [] })
    expect(text).toContain('&#x3C;b>')
    expect(text).toContain('&#x3C;iframe src="x">')
  })
})
