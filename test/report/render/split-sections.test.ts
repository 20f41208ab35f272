import { expect, test } from 'vitest'
import { markup, inlineCode } from '../../../src/report/render/html.ts'
import { toHtml, treeOf } from '../../../src/report/render/markdown-tree.ts'
import { formatTime } from '../../../src/report/render/outcome-words.ts'
import { toneOf } from '../../../src/report/tones.ts'
import { splitSections } from '../../../src/report/render/split-sections.ts'

/** Each section: its depth, its line, its heading and its text. */
function split(
  text: string,
  told = (): boolean => false,
): readonly (readonly [number, number, string | undefined, string])[] {
  const tree = treeOf(text, '.')
  if (tree === undefined) throw new TypeError('It takes too long.')
  return splitSections(tree, told).map(({ depth, line, heading, content }) => [
    depth,
    line,
    heading && toHtml(heading.children).text,
    toHtml([...content]).text.trim(),
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
      [0, 1, expect.not.stringContaining('<b>'), ''],
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

test.each([
  [0, '0.0 s'],
  [949, '0.9 s'],
  [99_949, '99.9 s'],
  [100_000, '1 min 40 s'],
  [7_199_000, '119 min 59 s'],
  [7_200_000, '2 h 0 min'],
])('%i ms are %s', (ms, text) => {
  expect(formatTime(ms)).toBe(text)
})

test('what failed as expected is shown as no pass', () => {
  expect([toneOf('pass', 'verified', [{}]), toneOf('pass', undefined, [{}]), toneOf('fail', undefined, [{}])]).toEqual([
    'expected',
    'expected',
    'fail',
  ])
})

test('only a pass on a word alone is shown as claimed', () => {
  expect([toneOf('pass', 'claimed'), toneOf('pass', undefined), toneOf('fail', 'claimed')]).toEqual([
    'claimed',
    'pass',
    'fail',
  ])
})

test('text in a template is never markup, and code stands between backticks', () => {
  expect(markup`<p title="${'"><script>'}">${['<b>', undefined, 0]}</p>`.text).not.toMatch(/<script|<b>|""/)
  expect(markup`${'\u202e'}`.text).not.toContain('\u202e')
  expect(inlineCode('a `b <i>` c').text).toBe('a <code>b &#60;i&#62;</code> c')
  expect(inlineCode('`').text).toBe('&#96;')
})
