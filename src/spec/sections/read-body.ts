import type { ListItem, Nodes, RootContent } from 'mdast'

import type { BodyContext, BodyItem } from '../markdown/body-item.ts'
import { findCodeInText, findIndentedTranscript } from '../markdown/hidden-code.ts'
import { inlineText } from '../markdown/inline-text.ts'
import { placeOf } from '../markdown/places.ts'
import type { Placeholders } from './placeholders.ts'
import { readFence, swallowedBy } from '../blocks/read-fence.ts'
import type { Fence } from '../blocks/fence.ts'
import { readHtml } from '../markdown/read-html.ts'

interface Visit {
  readonly node: RootContent
  readonly container?: Fence['container']
}

/** Flattens the text under one heading, in document order. */
export function readBody(nodes: readonly RootContent[], context: BodyContext): readonly BodyItem[] {
  const items: BodyItem[] = []
  const open: Visit[] = nodes.map((node) => ({ node })).toReversed()
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    items.push(...itemsOf(visit, context))
    const container = containerOf(visit)
    for (const node of childBlocks(visit.node).toReversed()) open.push(container ? { node, container } : { node })
  }
  return items
}

function itemsOf({ node, container }: Visit, context: BodyContext): readonly BodyItem[] {
  const place = placeOf(node)
  switch (node.type) {
    case 'code': {
      const fence = readFence(node, context)
      if (fence === undefined) return [{ kind: 'prose', ...place }, ...findIndentedTranscript(node)]
      return [{ kind: 'fence', ...fence, ...(container && { container }) }, ...swallowedBy(fence, context)]
    }
    case 'html':
      return readHtml(node, context)
    case 'thematicBreak':
      return [{ kind: 'break', ...place }]
    case 'listItem':
      return typeof node.checked === 'boolean'
        ? [{ kind: 'check', ...place, text: checkText(node, context.placeholders) }]
        : []
    case 'list':
    case 'blockquote':
    case 'footnoteDefinition':
    case 'definition':
    case 'yaml':
      return []
    default:
      reportInlineDirectives(node, context)
      return [{ kind: 'prose', ...place }, ...findCodeInText(node)]
  }
}

function childBlocks(node: RootContent): readonly RootContent[] {
  const isContainer =
    node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote' || node.type === 'footnoteDefinition'
  return isContainer ? node.children : []
}

function containerOf({ node, container }: Visit): Fence['container'] {
  if (node.type === 'blockquote') return 'block quote'
  return node.type === 'footnoteDefinition' ? 'footnote' : container
}

function checkText(item: ListItem, placeholders: Placeholders | undefined): string {
  const [first] = item.children
  return first === undefined ? '' : inlineText(first, placeholders)
}

/** A directive inside a paragraph, a heading or a table would be passed over. */
export function reportInlineDirectives(node: Nodes, { text, report }: Pick<BodyContext, 'text' | 'report'>): void {
  const start = node.position?.start.offset ?? 0
  if (!/mdtest\s*:/i.test(text.slice(start, node.position?.end.offset))) return
  if (node.type === 'html' || node.type === 'text') {
    const raw = text.slice(start, node.position?.end.offset)
    if (!/(?<!\\)<!--\s*mdtest\s*:/i.test(raw)) return
    const isOpen = node.type === 'text'
    const message = isOpen
      ? 'The comment is not closed. End it with `-->`, on a line of its own right under the heading.'
      : 'A directive inside other text would be ignored. Put it on a line of its own, right under a heading or above a block.'
    report(isOpen ? 'unterminated-directive' : 'misplaced-directive', placeOf(node), message)
  } else if ('children' in node) for (const child of node.children) reportInlineDirectives(child, { text, report })
}
