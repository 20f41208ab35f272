import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { Nodes, Table } from 'mdast'
import { describe, expect, test } from 'vitest'
import type { SummarizedSpec } from '../../src/pull-request/job-summary.ts'
import { formatStepSummary } from '../../src/pull-request/job-summary.ts'

const spec: SummarizedSpec = {
  file: 'a.test.md',
  outcome: 'pass',
  assurances: [],
  sources: [],
  reasons: [],
  durationMs: 1234,
}
const noLink = (): undefined => undefined

function tableOf(specs: readonly SummarizedSpec[]): Table {
  const tree = unified().use(remarkParse).use(remarkGfm).parse(formatStepSummary(specs, noLink))
  const table = tree.children.find((node) => node.type === 'table')
  if (table === undefined) throw new Error('There is no table.')
  return table
}

function cellsOf(table: Table): readonly (readonly string[])[] {
  return table.children.slice(1).map((row) => row.children.map(textOf))
}

/** All but text is left out, so that an element would be missed. An address may be a link to what it says, and no other. */
function textOf(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value
  const text = 'children' in node ? node.children.map(textOf).join('') : ''
  return node.type === 'link' && node.url !== text ? '' : text
}

describe('the summary of a job', () => {
  test.for([
    'a | b | c',
    '<script>alert(1)</script> <!-- x --> &amp; &#124;',
    '`code` **bold** _it_ ~~no~~ ![i](j) [k](l) <https://m.example>',
    '@team #12 https://n.example ``` | ```',
    '$ \\ \\\\ trailing \\',
    '- item 1. 2) + * > #',
  ])('shows %s as it is', (message) => {
    const reasons = [{ code: 'STEP_FAILED', message, file: 'a.test.md', line: 3 }] as const // a literal code
    const [cells] = cellsOf(tableOf([{ ...spec, outcome: 'fail', reasons }]))
    expect(cells).toHaveLength(6)
    expect(cells?.[3]).toBe(`a.test.md:3 STEP_FAILED ${message}`)
  })

  test('has what cannot be printed written out, and a reason in one short line', () => {
    const message = `one\ntwo\u001b[31m${'x'.repeat(500)}`
    const reasons = [{ code: undefined, message, file: 'b|c.test.md', line: undefined }]
    const [cells] = cellsOf(tableOf([{ ...spec, file: 'b|c.test.md', outcome: 'blocked', reasons }]))
    expect(cells?.[0]).toBe('b|c.test.md')
    expect(cells?.[3]).toMatch(/^b\|c\.test\.md one two\\x1b\[31mx+…$/)
    expect(cells?.[3]?.length).toBeLessThan(230)
  })

  test('lists the worst first, with sums, and stays below what GitHub takes', () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ ...spec, file: `${index}.test.md` }))
    const reasons = Array.from({ length: 5 }, (_, index) => ({
      code: undefined,
      message: `m${index}`,
      file: 'z',
      line: 1,
    }))
    const failed: SummarizedSpec = {
      ...spec,
      file: 'z.test.md',
      outcome: 'fail',
      reasons,
      costUsd: 0.5,
      assurances: ['claimed', 'verified', 'claimed'],
    }
    const text = formatStepSummary([...many, failed, { ...spec, outcome: 'skipped', costUsd: 1 }], noLink)
    expect(text).toContain('\n600 passed, 1 skipped, 1 failed, $1.50\n')
    expect(text).toContain('\n102 more are not shown.\n')
    const [first] = text.split('\n').filter((line) => line.includes('test.md'))
    expect(first).toBe(
      '| `z.test.md` | ❌ failed | 1 verified, 2 claimed | `z:1` `m0`<br>`z:1` `m1`<br>`z:1` `m2`<br>and 2 more | $0.50 | 1.2 s |',
    )
    expect(text.length).toBeLessThan(500_000)
  })

  test('says who carried out the steps, where recordings had a part in it', () => {
    const sources = [{ kind: 'replayed' }, { kind: 'agent' }] as const // literal kinds
    const text = formatStepSummary(
      [
        { ...spec, sources },
        { ...spec, sources: [{ kind: 'replayed' }] },
      ],
      noLink,
    )
    expect(text).toContain('\n2 passed\n\nsteps: 2 replayed, 1 by the agent\n\n| spec |')
    expect(formatStepSummary([{ ...spec, sources: [{ kind: 'agent' }] }], noLink)).not.toContain('steps:')
  })

  test('leads to the line on GitHub where there is an address', () => {
    const reasons = [{ code: undefined, message: 'm', file: 'a.test.md', line: 7 }]
    const text = formatStepSummary([{ ...spec, reasons }], (file, line) => `https://g.example/${file}#L${line}`)
    expect(text).toContain('[`a.test.md:7`](https://g.example/a.test.md#L7) `m`')
  })
})
