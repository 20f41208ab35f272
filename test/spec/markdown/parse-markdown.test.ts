import type { RootContent } from 'mdast'
import fc from '../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { createParser, parseMarkdown } from '../../../src/spec/markdown/parse-markdown.ts'

const lines = fc.array(
  fc.constantFrom(
    ...['# A', 'prose', '', '', '', '- item', '  more', '    code', '> quote', '```sh', '```', '~~~'],
    ...['  ```', '<div>', '<!--', '-->', '<pre>', '</pre>', '| a |', '|---|', '---', 'agent: none'],
    ...['[^1]: note', '1. one', '\ttab', '===', '- ```', '[b]: x', '[b] ![b]', 'p[^1]', '# [b]'],
    ...['~~~ `', '```` a', '   ~~~~', '# `', '  - b', '>', '***'],
  ),
  { maxLength: 40 },
)

/** Lines that need no parser, and a few that do, or that change what those are. */
const plainLines = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom(
        ...['# A', '## Add 3 items, "quickly" (once)?', '###### F: a/b = c; 50% + $1 @me - ok.', '# Ünï ۳ 漢字'],
        ...['Prose', "It's prose. More - of it", 'www.example.org and https://a.bc and me@example.org', 'x=1', 'a)'],
        ...['', '', '```sh', '```', '~~~js run a=b', '~~~', '````'],
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...['# A #', '#', '---', '-', ':-', '===', ' x', 'x ', 'x  ', '``` a `', '```a&amp;', '- i', '1. i', 'a*b*'],
        ...['[a]: b', '[a]', '<b>', 'a\\', '\t', '| - |', 'a | b', 'é́', '#A', '    i', '  ```', ' ', '# A &amp; *c*'],
        ...['A `e` [f](g)', 'A ![h](i)', '# ~~k~~', 'A <!-- n --> !', 'A https://o.p <j>', 'A l|m #', '# A_d_\\*'],
      ),
    },
  ),
  { maxLength: 14 },
)

/** Gives the tree that remark makes of the whole text. */
const plainTree = createParser()

function treeOf(text: string, minPieceLength: number): readonly RootContent[] {
  const parsed = parseMarkdown(text, { minPieceLength })
  expect(parsed.ok).toBe(true)
  return parsed.ok ? parsed.root.children : []
}

describe('parseMarkdown', () => {
  test.each([
    ['piece by piece', lines],
    ['of plain lines without the parser', plainLines],
  ])('makes the same tree as remark of the whole text: %s', (_what, some) => {
    fc.assert(
      fc.property(some, fc.constantFrom(1, 20, 1024), (all, minPieceLength) => {
        const text = all.join('\n')
        expect(treeOf(text, minPieceLength)).toEqual(plainTree(text))
      }),
    )
  })

  test('counts lines and offsets from the first line where it begins further down', () => {
    const parsed = parseMarkdown('---\na: 1\n---\n```sh\na\n```\n# T', { from: 3, minPieceLength: 1 })
    const starts = parsed.ok ? parsed.root.children.map(({ type, position }) => [type, position?.start]) : []
    expect(starts).toEqual([
      ['code', { line: 4, column: 1, offset: 13 }],
      ['heading', { line: 7, column: 1, offset: 25 }],
    ])
  })
})
