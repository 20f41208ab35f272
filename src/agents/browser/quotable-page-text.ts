import type { ToolOutput } from '../../mcp/mcp-session.ts'

/** Removes the model's own words from a tool's output. Playwright repeats them, but the page may not contain them. */
export function quotableText({ text, isError }: Pick<ToolOutput, 'text' | 'isError'>, input: unknown): string {
  const withoutCode = text.replace(/### Ran Playwright code\n```js\n[\s\S]*?\n```\n?/g, '')
  const texts = stringsIn(input).filter((one) => one !== '')
  const own = texts.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)])
  if (!isError && !/^### Result\nNo matches found\b/.test(text)) return withoutEcho(withoutCode, own)
  return [...own, ...own.flatMap(phrasesIn)].reduce((rest, one) => rest.replaceAll(one, '…'), withoutCode)
}

export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Splits a text into phrases that Playwright repeats: `text="Order 1"` comes back as `getByText('Order 1')`. */
function phrasesIn(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N} ._-]+/u).filter((phrase) => phrase.trim().length >= shortestQuote)
}

/** A quote with fewer characters has to be a whole line of the output. */
const shortestQuote = 4

function withoutEcho(text: string, own: readonly string[]): string {
  const found = text.replace(/^(### Result\nFound \d+ match(?:es)?) for [^\n]*/, '$1:')
  const waited = /^### Result\nWaited for /.exec(found)?.[0]
  if (waited === undefined) return found
  const [echo] = own.filter((one) => found.startsWith(one, waited.length)).toSorted((a, b) => b.length - a.length)
  return echo === undefined ? found : `${waited}…${found.slice(waited.length + echo.length)}`
}

/** Protocols whose URL itself contains the page. */
const ownProtocols = new Set(['data:', 'javascript:', 'blob:', 'view-source:', 'about:'])

/** Whether a call opens a page that the model itself wrote, such as `data:text/html,…`. Such a page is no evidence. */
export function opensOwnPage(input: unknown): boolean {
  const url = typeof input === 'object' && input !== null && 'url' in input ? input.url : undefined
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, href } = new URL(url)
  return ownProtocols.has(protocol) && href !== 'about:blank'
}
