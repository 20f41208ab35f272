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
