import { plainText } from '../../system/text/plain-text.ts'

/** Text that is markup. Made by `markup` alone, or of what a renderer has escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What stands in a template: markup stays, text is escaped, nothing is left out. */
export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[]

/** Markup from a template. Attributes have to stand in double quotes. Characters that change how others are shown are written out. */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((string, index) => string + toMarkup(parts[index])).join(''))
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function toMarkup(part: HtmlPart): string {
  if (part instanceof Html) return part.text
  if (part === undefined) return ''
  return typeof part === 'object' ? part.map(toMarkup).join('') : escapeHtml(plainText(String(part)))
}

/**
 * JSON that may stand in a script, beside it in a page, and in a file of any encoding that keeps ASCII apart: no tag can
 * end in it, and lone halves of surrogate pairs are escaped by `JSON.stringify` itself.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Text of ours in which code stands between backticks. */
export function inlineCode(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, index) => (index % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`))}`
}
