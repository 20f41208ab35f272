import { readFileSync } from 'node:fs'
import type { ListItem, Nodes } from 'mdast'
import { expect, it } from 'vitest'
import { parsePart } from '../../../../src/spec/markdown/parse-markdown.ts'
import { inlineText } from '../../../../src/spec/markdown/positions-and-placeholders.ts'
import { parseSpec } from '../../../../src/spec/parse-spec.ts'
import fc from '../../../support/fast-check.ts'
import { changeLines, type LineEdit } from '../../../support/change-lines.ts'
import { specKitDocuments } from './documents.ts'

const { 'the label is an item': _nested, ...flat } = specKitDocuments
const fixture = readFileSync(new URL('../../../../fixtures/specs/spec-kit-document/spec.md', import.meta.url), 'utf8')
const texts = [...Object.values(flat).map(({ text }) => text), fixture.replace(/^---\n[^]*?\n---\n/, '')]
const pieces = [
  ...new Set(texts.flatMap((text) => text.split('\n'))),
  ...[
    ...['<!--', '-->', '<!-- x -->', '```', '~~~', '> quoted', '| a | b |', '| - | - |', '    code', '<details>'],
    ...['***', ''],
  ],
  ...[
    ...['# X', '## Y', '### Z', '### User Story 7 - Q (Priority: P9)', '### Acceptance Scenarios', '**Notes**:'],
    ...['===', '# '],
  ],
  '   1. **Given** a, **When** b, **Then** c',
]

/** Lines of a document by a simple rule, read from its nodes one after the other. */
interface Counted {
  /** Items that have to be scenarios. */
  readonly must: readonly number[]
  /** Items that may be one, or the rest of the one before. */
  readonly may: readonly number[]
  /** Lines in comments, code, tables and quotes. */
  readonly hidden: ReadonlySet<number>
}

function count(text: string): Counted {
  const lines = text.split('\n')
  const headings = new Map<number, { readonly depth: number; readonly title: string }>()
  const items = new Map<number, ListItem>()
  const hidden = new Set<number>()
  const visit = (node: Nodes, isTop: boolean): void => {
    const { start, end } = node.position ?? { start: { line: 1 }, end: { line: 0, column: 1 } }
    if (node.type === 'heading' && isTop) headings.set(start.line, { depth: node.depth, title: inlineText(node) })
    else if (node.type === 'listItem' && !items.has(start.line)) items.set(start.line, node)
    if (node.type === 'code' || node.type === 'html' || node.type === 'table' || node.type === 'blockquote') {
      // One that is open where its item ends, ends at the first column of the next line.
      for (let line = start.line; line < end.line + (end.column > 1 ? 1 : 0); line += 1) hidden.add(line)
    } else if (node.type === 'list' || node.type === 'listItem') for (const child of node.children) visit(child, false)
  }
  const parsed = parsePart(text)
  for (const node of parsed.ok ? parsed.root.children : []) visit(node, true)

  const must: number[] = []
  const may: number[] = []
  let story: number | undefined
  let named: number | undefined
  let isOpen = false
  let isAlone = false
  const inside = new Set<ListItem>()
  for (let line = 1; line <= lines.length; line += 1) {
    if (hidden.has(line)) continue
    const heading = headings.get(line)
    if (heading !== undefined) {
      const { depth, title } = heading
      const isNamed = isName(title)
      if (named !== undefined && depth <= named) named = undefined
      if (story !== undefined && (isNamed && !isAlone ? depth < story : depth <= story)) story = undefined
      if (/^(primary )?user story/i.test(title)) {
        story = depth
        isAlone = false
      } else if (isNamed && /scenarios/i.test(title) && story === undefined) {
        story = depth
        isAlone = true
      }
      if (isNamed && story !== undefined) named ??= depth
      isOpen = named !== undefined
      continue
    }
    const written = (lines[line - 1] ?? '').trim().replace(/^([-*+]|\d+[.)]) +/, '')
    if (isName(written.replace(/[*_]/g, ''))) isOpen = true
    else if (/^(\*\*|__)[^*_]+(:\1|\1:)$/.test(written) && !/^..(given|when|then|and|but)/i.test(written))
      isOpen = false
    const item = items.get(line)
    if (item === undefined || inside.has(item) || story === undefined || !isOpen) continue
    for (const below of itemsBelow(item)) inside.add(below)
    ;(/^\W*(when|then|and|but)\b/i.test(written) ? may : must).push(line)
  }
  return { must, may, hidden }
}

function isName(text: string): boolean {
  return /^acceptance (scenarios|criteria)( \(.*\))? ?:?$/i.test(text.trim())
}

function itemsBelow(node: ListItem): readonly ListItem[] {
  return node.children.flatMap((child) =>
    child.type === 'list' ? child.children.flatMap((item) => [item, ...itemsBelow(item)]) : [],
  )
}

const edit = fc.record({
  at: fc.nat(1000),
  kind: fc.constantFrom(
    ...['drop', 'double', 'insert', 'replace', 'indent', 'outdent', 'deeper', 'swap', 'blank', 'bullet'],
  ),
  piece: fc.constantFrom(...pieces),
})

function mutate(text: string, edits: readonly LineEdit[]): string {
  // Front matter is read by other rules.
  return changeLines(text, edits).replace(/^---/, '')
}

function check(text: string): number {
  const { spec, problems } = parseSpec(text, { file: '/suite/specs/001-a/spec.md', dialectOf: () => 'spec-kit' })
  const { must, may, hidden } = count(text)
  const found = spec.scenarios.map(({ line }) => line)
  const told = new Set(problems.map(({ line }) => line))
  const lines = text.split('\n')
  const lost = must.filter((line) => !found.includes(line) && !told.has(line))
  const extra = found.filter((line) => !must.includes(line) && !may.includes(line))
  expect({ lost, extra }, `${text}\n----`).toEqual({ lost: [], extra: [] })
  expect(new Set(found).size).toBe(found.length)
  for (const [index, { endLine }] of spec.scenarios.entries())
    expect(endLine, text).toBeLessThan(spec.scenarios[index + 1]?.line ?? Infinity)
  for (const { line, column, endLine, groups = [], children } of spec.scenarios) {
    expect(hidden.has(line), text).toBe(false)
    expect(lines[line - 1]?.slice(column - 1), text).toMatch(/^(?:[-*+]|\d+[.)])(?:\s|$)/)
    expect(groups[0]?.line, text).toBeLessThan(line)
    expect(groups[0]?.endLine, text).toBeGreaterThanOrEqual(endLine)
    expect(children).toHaveLength(1)
  }
  return found.length
}

it('of changed documents no scenario is lost, and none is in a comment, code, a table or a quote', () => {
  const counts: number[] = []
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 6 }), (text, edits) => {
      counts.push(check(mutate(text, edits)))
    }),
  )
  expect(counts.filter((count) => count > 0).length).toBeGreaterThan(counts.length / 2)
})
