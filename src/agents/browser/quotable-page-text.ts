import { collapseSpace } from '../../system/text/plain-text.ts'
import { parseJson } from '../../system/text/parse-json.ts'

const ranCode = /### Ran Playwright code\n```js\n[\s\S]*?\n```\n?/g
const typing = /\.(fill|pressSequentially|press)\('((?:[^'\\]|\\.)+)'/g
const fieldValue =
  /^( *- '?(?:textbox|searchbox|spinbutton|combobox|slider)(?: "(?:[^"\\]|\\.)*")?(?: \[[^\]]*\])*'?:(?:\n *- \/.*)*(?:\n *- text:)?) (.*)$/gm

export interface TypedText {
  readonly step: string | null
  readonly text: string
  /** Whether the text is added to what a field has. */
  readonly isAdded: boolean
}

/** Leaves out field values that the step itself typed since a page was opened. `typed` gets what this call typed. */
export function withoutTyped(output: string, step: string | null, typed: TypedText[]): string {
  const code = output.match(ranCode)?.join('') ?? ''
  // What a page shows that was opened anew comes from the product.
  if (/^await page\.(?:goto\('[^'#]*'|reload\()/m.test(code)) typed.length = 0
  for (const [, how, written = ''] of code.matchAll(typing)) {
    const text = written.replace(/\\(.)/g, (_, sign: string) => (/[nrt]/.test(sign) ? ' ' : sign))
    if (how !== 'press' || text.length === 1) typed.push({ step, text: shownText(text), isAdded: how !== 'fill' })
  }
  const own = typed.filter((one) => one.step === step)
  const joined = own.map(({ text, isAdded }) => (isAdded ? text : `\n${text}`)).join('')
  return output.replace(fieldValue, (whole, field: string, value: string) => {
    // Playwright prints pages as YAML, and quotes some values.
    const shown = shownText(String((value.startsWith('"') && parseJson(value)) || value))
    return own.some(({ text }) => text === shown) || (shown.length > 1 && joined.includes(shown)) ? `${field} …` : whole
  })
}

/** Playwright leaves these characters out of the texts that it shows. */
function shownText(text: string): string {
  return collapseSpace(text.replaceAll(/[\u00ad\u200b]/g, ''))
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

/** The texts that a call gives to a page. Other texts of the call, such as names of elements, come from the page. */
export function typedIn(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) =>
    /^(?:text|values?|url|promptText)$/.test(name) ? stringsIn(value) : typedIn(value),
  )
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
