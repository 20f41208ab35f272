import { describe, expect, test } from 'vitest'
import { sectionsOf, showSpec, type Part } from '../../../src/report/folder/document.ts'
import type { SpecRecord } from '../../../src/report/data/spec-record.ts'
import { reportedStep, specRecord } from '../../support/report-records.ts'

/** Parts as tags, without what is in attributes. */
function markupOf(parts: readonly Part[]): string {
  const shown = parts.map((part) =>
    typeof part === 'string' ? part : `<${part.tag}>${markupOf(part.parts)}</${part.tag}>`,
  )
  return shown.join('')
}

/** Each section: its depth, its line, its heading and its text. */
function split(
  text: string,
  told = (): boolean => false,
): readonly (readonly [number, number, string | undefined, string])[] {
  return sectionsOf(text, { base: '.', isTold: told }).map(({ depth, line, heading, parts }) => [
    depth,
    line,
    heading && markupOf(heading),
    markupOf(parts).trim(),
  ])
}

test.each<readonly [string, string, ReturnType<typeof split>]>([
  ['nothing', '', [[0, 1, undefined, '']]],
  ['no heading', 'a\n', [[0, 1, undefined, '<p>a</p>']]],
  [
    'levels',
    '# A\n\n## B\n\n# C\n',
    [
      [0, 1, undefined, ''],
      [0, 1, 'A', ''],
      [1, 3, 'B', ''],
      [0, 5, 'C', ''],
    ],
  ],
  [
    'a level that is left out',
    '# A\n\n#### B\n\n## C\n',
    [
      [0, 1, undefined, ''],
      [0, 1, 'A', ''],
      [1, 3, 'B', ''],
      [1, 5, 'C', ''],
    ],
  ],
  [
    'text above',
    'x\n\n# A\n\ny\n',
    [
      [0, 1, undefined, '<p>x</p>'],
      [0, 3, 'A', '<p>y</p>'],
    ],
  ],
  [
    'front matter',
    '---\nagent: none\n---\n\n# A\n',
    [
      [0, 1, undefined, ''],
      [0, 5, 'A', ''],
    ],
  ],
  ['a heading in a block', '```sh\n# no heading\n```\n', [[0, 1, undefined, expect.stringContaining('# no heading')]]],
  [
    'markup in a heading',
    '# <b>A</b> `x`\n',
    [
      [0, 1, undefined, ''],
      [0, 1, '<code><b></code>A<code></b></code> <code>x</code>', ''],
    ],
  ],
])('%s', (_, text, sections) => {
  expect(split(text)).toEqual(sections)
})

test('a title that is told elsewhere is left out, where nothing stands above it', () => {
  const isTitle = (text = ''): boolean => text === 'T'
  const tree = (text: string): number =>
    split(text, isTitle as () => boolean).filter(([, , heading]) => heading === 'T').length
  expect(tree('# T\n\n## A\n')).toBe(0)
  expect(tree('x\n\n# T\n')).toBe(1)
  expect(tree('# A\n\n# T\n')).toBe(1)
})

const show = (given: Partial<SpecRecord>): unknown => showSpec(specRecord(given), '..').documents

test('a spec that is no markdown stands as it is written, a step at its line', () => {
  const text = '# language: en\nFeature: Cart\n\n  Scenario: Add\n    Then *it* is | there |\n\n  Scenario: <Pay>\n'
  const steps = [reportedStep({ line: 4, titles: ['Rule', 'Add'] }), reportedStep({ line: 7, titles: ['<Pay>'] })]
  const [document] = showSpec(specRecord({ spec: 'shop/cart.feature', sources: [{ text }], steps }), '..').documents
  expect(document?.sections.map(({ heading = [], line, parts }) => [line, markupOf(heading), markupOf(parts)])).toEqual(
    [
      [1, '', '<div><pre><code># language: en\nFeature: Cart</code></pre></div>'],
      [4, 'Add', '<div><pre><code>    Then *it* is | there |</code></pre></div>'],
      [7, '<Pay>', ''],
    ],
  )
})

test('markdown for which the parser would take too long is its plain text', () => {
  const text = `# A\n${'a\n'.repeat(20_001)}`
  expect(split(text)).toEqual([[0, 1, undefined, `<pre><code>${text}</code></pre>`.trim()]])
})

describe('text of any origin', () => {
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
    const text = JSON.stringify(show({ spec: 'shop/a.test.md', sources: [{ text: markdown }], steps: [] }))
    expect(/"href":"([^"]*)"/.exec(text)?.[1]).toBe(href)
    expect(text).not.toContain('"tag":"img"')
  })

  test('written as HTML is what it says, and boxes to tick are left out', () => {
    const [section] = split('a <b>c</b>\n\n<iframe src="x"></iframe>\n\n- [ ] d\n')
    expect(section?.[3]).toContain('<code><b></code>c<code></b></code>')
    expect(section?.[3]).toContain('<code><iframe src="x"></iframe></code>')
    expect(section?.[3]).not.toContain('<input>')
  })

  test('has no attributes but those that are known', () => {
    const markdown = 'a[^1]\n\n[^1]: b\n\n3. c\n\n| d |\n| -: |\n| e |\n\n- [ ] f\n'
    const names = [...JSON.stringify(show({ sources: [{ text: markdown }] })).matchAll(/"attributes":(\{.*?\})/g)]
    const known = new Set(names.flatMap(([, json = '']) => Object.keys(JSON.parse(json))))
    expect([...known].toSorted()).toEqual(['align', 'class', 'start', 'tabindex'])
  })
})
