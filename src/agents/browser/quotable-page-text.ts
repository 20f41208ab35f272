import { collapseSpace } from '../../system/text/plain-text.ts'
import { parseJson } from '../../system/text/parse-json.ts'

const ranCode = /### Ran Playwright code\n```js\n[\s\S]*?\n```\n?/g
const typing = /\.(?:fill|pressSequentially)\('((?:[^'\\]|\\.)+)'|\.press\('(.)'\)/g
const fieldValue =
  /^( *- '?(?:textbox|searchbox|spinbutton|combobox|slider)(?: "(?:[^"\\]|\\.)*")?(?: \[[^\]]*\])*'?:(?:\n *- \/.*)*(?:\n *- text:)?) (.*)$/gm

/** Leaves out values of fields that were typed, by this call or an earlier one. `typed` gets what this call typed. */
export function withoutTyped(text: string, typed: string[]): string {
  const code = text.match(ranCode)?.join('') ?? ''
  // What a page shows that was opened anew comes from the product.
  if (/\.(?:goto|reload)\(/.test(code)) typed.length = 0
  for (const [, written, key = ''] of code.matchAll(typing))
    typed.push(
      collapseSpace((written ?? key).replace(/\\(.)/g, (_, sign: string) => (/[nrt]/.test(sign) ? ' ' : sign))),
    )
  const keys = typed.filter(({ length }) => length === 1).join('')
  return text.replace(fieldValue, (whole, field: string, value: string) => {
    // Playwright prints pages as YAML, and quotes some values.
    const shown = collapseSpace(String((value.startsWith('"') && parseJson(value)) || value))
    return typed.includes(shown) || keys.includes(shown) ? `${field} …` : whole
  })
}

/** Removes the model's own words from a tool's output. Playwright repeats them, but the page may not contain them. */
export function quotableText(text: string, input: unknown): string {
  const page = text.replace(ranCode, '')
  const start = /^### Result\n(?:Found \d+ match(?:es)?|No matches found|Waited) for /.exec(page)?.[0]
  if (start === undefined) return page
  const told = page.slice(start.length)
  // Playwright puts some texts into quotes or slashes.
  const isAt = (one: string, at: number): boolean => one !== '' && told.startsWith(one, at)
  const ends = stringsIn(input).flatMap((one) => [0, 1].flatMap((at) => (isAt(one, at) ? at + one.length : [])))
  return `${start}…${told.slice(Math.max(0, ...ends)).replace(/^[^\n]*/, '')}`
}

export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
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
