import type { Place } from '../spec.ts'
import type { Nodes } from 'mdast'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'

export const top: Place = { line: 1, column: 1 }

export function advance({ line, column }: Place, text: string): Place {
  const lastBreak = text.lastIndexOf('\n')
  if (lastBreak === -1) return { line, column: column + text.length }
  return { line: line + text.split('\n').length - 1, column: text.length - lastBreak }
}

export function placeOf(node: Nodes): Place {
  return { line: node.position?.start.line ?? 1, column: node.position?.start.column ?? 1 }
}

const none: Placeholders = { fill: (text) => text, isPlaceholder: () => false }

export function inlineText(node: Nodes, placeholders: Placeholders = none): string {
  return oneLine(rawText(node, placeholders))
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function rawText(node: Nodes, placeholders: Placeholders): string {
  const { fill, isPlaceholder } = placeholders
  if (node.type === 'html') return isPlaceholder(node.value) ? fill(node.value) : ''
  if (node.type === 'break') return ' '
  if ('value' in node) return fill(node.value)
  if ('alt' in node) return fill(node.alt ?? '')
  return 'children' in node ? node.children.map((child) => rawText(child, placeholders)).join('') : ''
}

/** Placeholders for the values of one table row: `{{name}}` and `<name>`. */
export interface Placeholders {
  fill(text: string): string
  isPlaceholder(html: string): boolean
}

/** `values` by column. A placeholder inside a value is not filled. */
export function createPlaceholders(values: Readonly<Record<string, string>>): Placeholders {
  const byName = new Map(Object.entries(values))
  const pattern = patternOf([...byName.keys()])
  return {
    fill: (text) =>
      text.replace(pattern, (whole, braced: string, angled: string) => byName.get(braced ?? angled) ?? whole),
    isPlaceholder: (html) => html.startsWith('<') && html.endsWith('>') && byName.has(html.slice(1, -1)),
  }
}

export function placeholdersIn(text: string, names: readonly string[]): ReadonlySet<string> {
  return new Set([...text.matchAll(patternOf(names))].map(([, braced, angled]) => braced ?? angled ?? ''))
}

function patternOf(names: readonly string[]): RegExp {
  const any = names.map(quoteRegex).join('|')
  return new RegExp(`\\{\\{ ?(${any}) ?\\}\\}|<(${any})>`, 'g')
}
