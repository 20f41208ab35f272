import { quoteRegex } from '../../system/text/quoting.ts'

/** What stands for the values of one row, `{{name}}` and `<name>`. */
export interface Placeholders {
  /** Puts the values in their place. */
  fill(text: string): string
  /** Whether what markdown takes for an HTML tag is one of them. */
  isPlaceholder(html: string): boolean
}

/** The placeholders of a row, given as value by column. What a value holds is not looked at again. */
export function createPlaceholders(values: Readonly<Record<string, string>>): Placeholders {
  const byName = new Map(Object.entries(values))
  const pattern = patternOf([...byName.keys()])
  return {
    fill: (text) =>
      text.replace(pattern, (whole, braced: string, angled: string) => byName.get(braced ?? angled) ?? whole),
    isPlaceholder: (html) => html.startsWith('<') && html.endsWith('>') && byName.has(html.slice(1, -1)),
  }
}

/** The names that a text has placeholders for. */
export function placeholdersIn(text: string, names: readonly string[]): ReadonlySet<string> {
  return new Set([...text.matchAll(patternOf(names))].map(([, braced, angled]) => braced ?? angled ?? ''))
}

function patternOf(names: readonly string[]): RegExp {
  const any = names.map(quoteRegex).join('|')
  return new RegExp(`\\{\\{ ?(${any}) ?\\}\\}|<(${any})>`, 'g')
}
