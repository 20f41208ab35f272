import type { RootContent } from 'mdast'
import fc from '../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'

import { createParser } from '../../../src/spec/markdown/create-parser.ts'
import { parseMarkdown } from '../../../src/spec/markdown/parse-markdown.ts'

const lines = fc.array(
  fc.constantFrom(
    '# A',
    'prose',
    '',
    '',
    '',
    '- item',
    '  more',
    '    code',
    '> quote',
    '```sh',
    '```',
    '~~~',
    '  ```',
    '<div>',
    '<!--',
    '-->',
    '<pre>',
    '</pre>',
    '| a |',
    '|---|',
    '---',
    'agent: none',
    '[^1]: note',
    '1. one',
    '\ttab',
    '===',
    '- ```',
    '[b]: x',
    '[b] ![b]',
    'p[^1]',
    '# [b]',
    '~~~ `',
    '```` a',
    '   ~~~~',
    '# `',
    '  - b',
    '>',
    '***',
  ),
  { maxLength: 40 },
)

/** Text with and without markup inside. */
const inline = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      ' B',
      '1',
      ' ',
      '.',
      '-',
      '/',
      '"',
      '=',
      '@',
      '*c*',
      '_d_',
      '`e`',
      '[f](g)',
      '![h](i)',
      '&amp;',
      '<j>',
      '\\*',
      '~~k~~',
    ],
    ...['l|m', ' #', '!', '<!-- n -->', '*', '_', '`', '~', '[', ']', '\\', 'https://o.p'],
  ),
  maxLength: 3,
})

/** Lines that need no parser, and a few that do, or that change what those are. */
const plainLines = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom(
        '# A',
        '## Add 3 items, "quickly" (once)?',
        '###### F: a/b = c; 50% + $1 @me - ok.',
        '# Ünï ۳ 漢字',
        'Prose',
        "It's prose. More - of it",
        'www.example.org and https://a.bc and me@example.org',
        'x=1',
        'a)',
        '',
        '',
        '```sh',
        '```',
        '~~~js run a=b',
        '~~~',
        '````',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '# A #',
        '#',
        '---',
        '-',
        ':-',
        '===',
        ' x',
        'x ',
        'x  ',
        '``` a `',
        '```a&amp;',
        '- i',
        '1. i',
        'a*b*',
        '[a]: b',
        '[a]',
        '<b>',
        'a\\',
        '\t',
        '| - |',
        'a | b',
        'é́',
        '#A',
        '    i',
        '  ```',
        ' ',
      ),
    },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom('A ', '# A '), inline).map((parts) => parts.join('')) },
  ),
  { maxLength: 14 },
)

/** Gives the tree that remark makes of the whole text. */
const plainTree = createParser()

function treeInPieces(text: string): readonly RootContent[] {
  const parsed = parseMarkdown(text, { minPieceLength: 1 })
  expect(parsed.ok).toBe(true)
  return parsed.ok ? parsed.root.children : []
}

describe('parseMarkdown', () => {
  test('makes the same tree piece by piece as remark of the whole text', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const text = all.join('\n')
        expect(treeInPieces(text)).toEqual(plainTree(text))
      }),
    )
  }, 600_000)

  test('makes the same tree of plain lines without the parser', () => {
    fc.assert(
      fc.property(plainLines, fc.constantFrom(1, 20, 1024), (all, minPieceLength) => {
        const text = all.join('\n')
        const parsed = parseMarkdown(text, { minPieceLength })
        expect(parsed.ok && parsed.root.children).toEqual(plainTree(text))
      }),
    )
  }, 600_000)

  test('counts lines and offsets from the first line where it begins further down', () => {
    const parsed = parseMarkdown('---\na: 1\n---\n```sh\na\n```\n# T', { from: 3, minPieceLength: 1 })
    const starts = parsed.ok ? parsed.root.children.map(({ type, position }) => [type, position?.start]) : []
    expect(starts).toEqual([
      ['code', { line: 4, column: 1, offset: 13 }],
      ['heading', { line: 7, column: 1, offset: 25 }],
    ])
  })
})
