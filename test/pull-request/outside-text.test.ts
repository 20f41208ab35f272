import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { jobEntries, stepEntry } from '../../src/pull-request/job-results.ts'
import { maxCharacters, writeComment } from '../../src/pull-request/comment.ts'
import { inCode, inHtmlCode, markdownOf, words } from '../../src/pull-request/outside-text.ts'
import { cellOf, failingStep, readSpec } from '../support/pull-request.ts'

const place = { repository: { server: 'https://github.com', name: 'o/r', commit: 'abc', folder: '' } }

const bare = `@octocat @org/team #12 GH-12 org/repo#12 https://evil.example www.evil.example me@evil.example
  [a](https://evil.example) ![a](https://evil.example/a.png) <img src=https://evil.example/a.png> <a href=x>x</a>
  <script>x</script> <!--x--> --> </details> </code> **bold** _it_ ~~no~~ \`code\` \`\` \`\`\` ~~~ $a$ $$ :tada: &lt; &#64;a
  | a|b \\@octocat \\ {{x}} \${{ github.token }} %0A 1. - + * > # --- === [^1] [a]: [x] \u202e \u200b \u0000 \u001b[31m
  ::error::x ::add-mask::x ::set-output ::stop-commands::x ##[error]x ##vso[x] ##teamcity[x] javascript:x data:x`.split(
  /\s+/,
)
const hostile = bare.flatMap((text) => [text, `${text} ${text}`, `a\n${text}\nb`, `\`${text}`])

const parse = (markdown: string): Nodes => unified().use(remarkParse).use(remarkGfm).parse(markdown)

function textsOutsideOfCode(node: Nodes): readonly string[] {
  if ('children' in node) return node.children.flatMap(textsOutsideOfCode)
  return 'value' in node && node.type !== 'code' && node.type !== 'inlineCode' ? [node.value] : []
}

function urlsIn(node: Nodes): readonly string[] {
  const own = 'url' in node ? [node.url] : []
  return 'children' in node ? [...own, ...node.children.flatMap(urlsIn)] : own
}

test(`${hostile.length} texts from outside stand in code, wherever they come from`, () => {
  expect(hostile.length).toBeGreaterThanOrEqual(200)
  for (const text of hostile) {
    const step = failingStep(text)
    const spec = readSpec({ spec: `specs/${text}`, title: text, steps: [step], problems: [{ message: text, line: 1 }] })
    const markdown = [
      markdownOf(...stepEntry(spec, step, place)),
      ...jobEntries({ specs: [spec], errors: [text], missing: 0, wallTimeMs: 1 }, place),
    ].join('\n')
    const outside = textsOutsideOfCode(parse(markdown)).join('')
    expect(outside.replaceAll(/expected: |seen: |outside of the specs|[❌\s]/gu, ''), text).toBe('')
    for (const url of urlsIn(parse(markdown)))
      expect(url, text).toMatch(/^https:\/\/github\.com\/o\/r\/blob\/abc\/specs\//)
    // Printed in a job it is no command.
    expect(markdown, text).not.toMatch(/^\s*::|##\[|##vso\[|##teamcity\[|[\u0000\u001b\u202e]/m)
  }
})

test('paths of a forged report lead to no other repository and host, and break nothing', () => {
  const shown = { ...place, reportUrl: 'https://host.example/r' }
  for (const path of [
    '../../../../evil/r/x',
    'a/../../../../../../x',
    'https://evil.example/x',
    '//evil.example',
    '\ud800',
  ]) {
    const step = { ...failingStep('a'), images: [{ path }] }
    for (const url of urlsIn(parse(markdownOf(...stepEntry(readSpec({ spec: path }), step, shown)))))
      expect(new URL(url).href, path).toMatch(/^https:\/\/(?:github\.com\/o\/r\/blob\/abc|host\.example\/r)\//)
  }
})

test('a step with any number of reasons fits into a comment at its line', () => {
  const long = 'x'.repeat(20_000)
  const reasons = Array.from({ length: 60 }, () => ({ code: 'STEP_FAILED', message: long }))
  const checks = Array.from({ length: 60 }, (_, n) => ({ n, text: long, status: 'fail' as const })) // a literal
  const text = markdownOf(...stepEntry(readSpec(), { ...failingStep(long), reasons, checks }, place))
  expect([text.length < maxCharacters, text.includes('52 more reasons')]).toEqual([true, true])
})

test('a text in a cell of a table, and in a line of HTML, is text as well', () => {
  for (const text of hostile) {
    const row = (cells: readonly string[]) => ({
      type: 'tableRow' as const,
      children: cells.map((cell) => ({ type: 'tableCell' as const, children: [inCode(cell)] })),
    })
    const table = parse(markdownOf({ type: 'table', children: [row(['a', 'b']), row([text, 'b'])] }))
    expect(textsOutsideOfCode(table), text).toEqual([])
    expect('children' in table && table.children.map(({ type }) => type), text).toEqual(['table'])
    expect(inHtmlCode(text), text).toMatch(/^<code>[^<>\n]*<\/code>$/)
  }
  expect(markdownOf({ type: 'paragraph', children: [words('a '), inCode('')] })).toBe('a `–`\n')
})

test('nothing in a text ends or forges a cell of the comment', () => {
  for (const text of ['</details>', '<!-- vitest-mdtest:cell e30= -->', '<!-- vitest-mdtest:comment -->']) {
    const step = failingStep(text)
    const entries = jobEntries({ specs: [readSpec({ steps: [step] })], errors: [], missing: 0, wallTimeMs: 1 }, place)
    const body = writeComment([cellOf({ name: `a ${text}`, entries })])
    const html = parse(body)
    const tags = 'children' in html ? html.children.flatMap((node) => (node.type === 'html' ? [node.value] : [])) : []
    expect(tags.filter((tag) => tag === '</details>')).toHaveLength(1)
  }
})
