import { expect, test } from 'vitest'
import { parseMarkdown, parsePart } from '../../../src/spec/markdown/parse-markdown.ts'

const text = '---\na: 1\n---\n```sh\na\n```\n# T'
const typesIn = (parsed: ReturnType<typeof parseMarkdown>): readonly unknown[] =>
  parsed.ok ? parsed.root.children.map(({ type, position }) => [type, position?.start.line]) : []

test('front matter is a node of a document, and a line across the page in a part of one', () => {
  expect(typesIn(parseMarkdown(text))).toEqual([
    ['yaml', 1],
    ['code', 4],
    ['heading', 7],
  ])
  expect(typesIn(parsePart(text))).toContainEqual(['thematicBreak', 1])
})

test('a text that was read is not read again', () => {
  expect(parseMarkdown(`${text}a`)).toBe(parseMarkdown(`${text}a`))
})

test('addresses that are not marked as links stay text', () => {
  expect(parsePart('www.example.org, https://a.bc and me@example.org')).toMatchObject({
    root: { children: [{ children: [{ type: 'text' }] }] },
  })
})

test.each([
  ['lines', 'a\n'.repeat(20_001), '20,000 lines'],
  ['bytes', 'é'.repeat(600_000), '1 MiB'],
])('too many %s are refused', (_what, large, message) => {
  expect(parseMarkdown(large)).toMatchObject({ ok: false, message: expect.stringContaining(message) })
})
