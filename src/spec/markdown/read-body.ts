import type { DirectiveComment } from '../blocks/words.ts'
import { type Placeholders, inlineText, placeOf, advance } from './places.ts'
import { type Fence, readFence } from '../blocks/fence.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Place } from '../spec.ts'
import {
  findCodeInText,
  findIndentedTranscript,
  holdsMarkdown,
  swallowedByFence,
  swallowedByHtml,
  type Swallowed,
} from '../rules/swallowed.ts'
import type { ListItem, Nodes, RootContent, Html } from 'mdast'

export type BodyItem =
  | (Place & { readonly kind: 'prose' | 'comment' | 'break' })
  | (Place & { readonly kind: 'check'; readonly text: string })
  | (DirectiveComment & { readonly kind: 'directive' })
  | (Fence & { readonly kind: 'fence' })
  | Swallowed

export interface BodyContext {
  /** The whole spec, to look at what the syntax tree leaves out. */
  readonly text: string
  readonly report: Report
  readonly placeholders?: Placeholders
}

interface Visit {
  readonly node: RootContent
  readonly container?: Fence['container']
}

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
      return [{ kind: 'fence', ...fence, ...(container && { container }) }, ...swallowedByFence(fence)]
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

interface HtmlPart {
  readonly kind: 'comment' | 'open-comment' | 'other'
  readonly text: string
}

type PlacedPart = HtmlPart & Place

const directiveHead = /^<!--\s*mdtest\s*:/i

/** Reads a block of raw HTML: directives, other comments, and what is prose because it shows text. */
function readHtml(node: Html, context: BodyContext): readonly BodyItem[] {
  const parts = placeParts(node)
  for (const part of parts) if (part.kind === 'comment') reportLateEnd(part, context)
  const isOnlyComments = parts.every(({ kind, text }) => kind === 'comment' || text.trim() === '')
  if (isOnlyComments) return parts.filter(({ kind }) => kind === 'comment').map(toItem)
  for (const part of parts) reportPart(part, context)
  const hasText = parts.some(({ kind, text }) => kind === 'other' && text.replace(/<[^<>]*>/g, '').trim() !== '')
  const { line, column } = parts[0] ?? { line: 1, column: 1 }
  return [
    { kind: hasText ? 'prose' : 'comment', line, column },
    ...parts.flatMap(({ kind, text, line: first }) => (kind === 'other' ? swallowedByHtml(text, first) : [])),
  ]
}

function placeParts(node: Html): readonly PlacedPart[] {
  let place: Place = { line: node.position?.start.line ?? 1, column: node.position?.start.column ?? 1 }
  return splitComments(node.value).map((part) => {
    const placed = { ...part, ...place }
    place = advance(place, part.text)
    return placed
  })
}

function toItem({ text, line, column }: PlacedPart): BodyItem {
  const head = directiveHead.exec(text)?.[0]
  if (head === undefined) return { kind: 'comment', line, column }
  const start = advance({ line, column }, head)
  return { kind: 'directive', line, column, text: text.slice(head.length, -'-->'.length), start }
}

function reportPart(part: PlacedPart, { report }: BodyContext): void {
  const { kind, text } = part
  const isDirective = directiveHead.test(text)
  if (kind === 'comment' && isDirective) {
    const message =
      'A directive inside other HTML would be ignored. Put it on a line of its own, with nothing after it.'
    report('misplaced-directive', part, message)
  } else if (kind === 'open-comment') {
    if (!isDirective && !holdsMarkdown(text)) return
    const message = 'The comment is not closed and takes in all that follows. End it with `-->`.'
    report(isDirective ? 'unterminated-directive' : 'swallowed-block', part, message)
  }
}

/** A comment ends at the first `-->`, which can be the one of the next comment. */
function reportLateEnd(part: PlacedPart, { report }: BodyContext): void {
  const next = part.text.indexOf('<!--', 4)
  if (next === -1 || directiveHead.test(part.text) || !holdsMarkdown(part.text.slice(0, next))) return
  const message =
    'The comment is not closed before the next one begins and takes in what stands between. End it with `-->`.'
  report('swallowed-block', part, message)
}

/** Splits raw HTML into comments and the rest, in one pass however many `<!--` are never closed. */
function splitComments(html: string): readonly HtmlPart[] {
  const parts: HtmlPart[] = []
  for (let from = 0; from < html.length;) {
    const start = html.indexOf('<!--', from)
    if (start !== from) parts.push({ kind: 'other', text: html.slice(from, start === -1 ? undefined : start) })
    if (start === -1) break
    const end = html.indexOf('-->', start + 4)
    const next = end === -1 ? html.length : end + 3
    parts.push({ kind: end === -1 ? 'open-comment' : 'comment', text: html.slice(start, next) })
    from = next
  }
  return parts
}
