import type { Nodes } from 'mdast'

import type { Placeholders } from '../sections/placeholders.ts'

const none: Placeholders = { fill: (text) => text, isPlaceholder: () => false }

/** The text of a heading or paragraph: inline markdown stripped, white space collapsed, placeholders filled. */
export function inlineText(node: Nodes, placeholders: Placeholders = none): string {
  return rawText(node, placeholders).replace(/\s+/g, ' ').trim()
}

function rawText(node: Nodes, placeholders: Placeholders): string {
  const { fill, isPlaceholder } = placeholders
  if (node.type === 'html') return isPlaceholder(node.value) ? fill(node.value) : ''
  if (node.type === 'break') return ' '
  if ('value' in node) return fill(node.value)
  if ('alt' in node) return fill(node.alt ?? '')
  return 'children' in node ? node.children.map((child) => rawText(child, placeholders)).join('') : ''
}
