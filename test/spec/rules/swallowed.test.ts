import { describe, expect, test } from 'vitest'
import { findInFence, findInHtml, holdsMarkdown, type Finding } from '../../../src/spec/rules/swallowed.ts'

/** Each as `what index`, with `?` where it is one only without an agent. */
const shown = (found: readonly Finding[]): readonly string[] =>
  found.map(({ what, index, isOnlyWithoutAgent }) => `${what} ${index}${isOnlyWithoutAgent ? '?' : ''}`)

describe('a fence whose end was forgotten', () => {
  test.each<[string, string, readonly string[]]>([
    ['nothing', 'echo', []],
    ['its own look-alikes', '~~~\nx\n~~~', []],
    ['a marked block', 'a\n```sh run\nb', ['block 1']],
    ['a block of code', 'a\n```sh\nb', ['block 1?']],
    ['a language that does not run', 'a\n```cobol\nb', ['code 1?']],
    ['text', 'a\n```text\nb', []],
    ['a heading before a fence', '## B\n```cobol\nb', ['heading 0']],
    ['what may be a comment before a block', '## B\n```sh run\nb', ['block 1']],
    ['a comment of a shell alone', '# not a heading', []],
    ['a heading underlined', 'B\n==\n```sh\nb', ['heading 0']],
    ['a shorter marker', 'a\n``sh run', []],
  ])('holds %s', (_name, text, expected) => {
    expect(shown(findInFence(text, '```'))).toEqual(expected)
  })

  test('a shorter marker inside a longer one is content', () => {
    expect(findInFence('```sh run\na\n```', '````')).toEqual([])
  })
})

describe('raw HTML', () => {
  test.each<[string, string, readonly string[]]>([
    ['nothing', '<b>\na\n</b>', []],
    ['a block', '<div>\n```sh run\na\n```\n</div>', ['block 1']],
    ['a block without an agent', '<div>\n~~~js\n1\n~~~\n</div>', ['block 1?']],
    ['a heading', '<div>\n## B\n</div>', ['heading 1']],
    ['a number sign in preformatted text', '<pre>\n# B\n</pre>', []],
    ['a heading inside a fence', '<div>\n```text\n# B\n```\n</div>', []],
    ['a heading behind a fence', '<div>\n```text\na\n```\n# B', ['heading 4']],
    ['a style', '<style>\n#a\n=\n</style>', []],
  ])('holds %s', (_name, text, expected) => {
    expect(shown(findInHtml(text))).toEqual(expected)
  })

  test.each<[string, boolean]>([
    ['a note', false],
    ['#tag', false],
    ['# Heading', true],
    ['   ```', true],
    ['    ```', false],
    ['Title\n---', true],
    ['<b>\n---', false],
    ['- a\n- b', false],
  ])('of a comment: %j holds markdown: %s', (text, expected) => {
    expect(holdsMarkdown(text)).toBe(expected)
  })

  test('takes time in proportion to its length', () => {
    const html = '<pre>'.repeat(20_000) + '\n# B'
    expect(shown(findInHtml(html))).toEqual(['heading 1'])
  })
})
