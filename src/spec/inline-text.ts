import type { Nodes } from 'mdast'

/** The text of a heading or paragraph: inline markdown stripped, white space collapsed. */
export function inlineText(node: Nodes): string {
  return rawText(node).replace(/\s+/g, ' ').trim()
}

function rawText(node: Nodes): string {
  if (node.type === 'html') return ''
  if (node.type === 'break') return ' '
  if ('value' in node) return node.value
  if ('alt' in node) return node.alt ?? ''
  return 'children' in node ? node.children.map(rawText).join('') : ''
}
