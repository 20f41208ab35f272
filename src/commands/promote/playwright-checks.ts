import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'
import type { BrowserLine } from '../../spec/browser/browser-line.ts'
import { quoteRegex } from '../../system/text/quote-regex.ts'

/** What a test of Playwright says for a line that the page shows, or does not. */
export function lineCheck({ text, isAbsent }: Extract<BrowserLine, { kind: 'see' }>): string {
  const [pattern] = parseExpected([text]).patterns
  if (pattern?.kind === 'text') return snapshotCheck(pattern.text, isAbsent)
  const source =
    pattern?.kind === 'regex'
      ? { text: pattern.regex.source, isFilled: false }
      : templateSource(pattern?.kind === 'template' ? pattern.parts : [])
  const regex = source.isFilled ? `new RegExp(\`${source.text}\`, 'su')` : `/${source.text}/su`
  if (isAbsent) return `await expect(seen(page, ${regex})).rejects.toThrow()`
  return `Object.assign(captured, await seen(page, ${regex}))`
}

/** Text between the back quotes of a template. */
export function inTemplate(plain: string): string {
  return plain.replace(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
}

function snapshotCheck(line: string, isAbsent: boolean): string {
  const written = inTemplate(`- ${line}`)
  return `await expect(page.locator('body')).${isAbsent ? 'not.' : ''}toMatchAriaSnapshot(\`${written}\`)`
}

type Parts = Extract<ReturnType<typeof parseExpected>['patterns'][number], { kind: 'template' }>['parts']

/** As a regular expression; with values of names it is the inside of a template. */
function templateSource(parts: Parts): { readonly text: string; readonly isFilled: boolean } {
  const own = new Set(parts.flatMap((part) => (part.kind === 'capture' ? [part.name] : [])))
  const isFilled = parts.some((part) => part.kind === 'recall' && !own.has(part.name))
  const escape = (source: string): string => (isFilled ? inTemplate(source) : source)
  const sources = parts.map((part) => {
    if (part.kind === 'text') return escape(quoteRegex(part.text))
    if (part.kind === 'capture') return escape(`(?<${part.name}>${part.source})`)
    return own.has(part.name) ? escape(String.raw`\k<${part.name}>`) : `\${literally(captured.${part.name} ?? '')}`
  })
  return { text: `^${sources.join('')}$`, isFilled }
}
