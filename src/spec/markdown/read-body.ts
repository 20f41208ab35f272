import type { DirectiveComment } from '../blocks/words.ts'
import { type Placeholders, inlineText, placeOf, advance } from './places.ts'
import { classifyFence, type Fence, looksLikeTranscript, readFence } from '../blocks/fence.ts'
import { hideIn } from './hidden-text.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Place } from '../spec.ts'
import { codeInHtml, passedOver, unreadInHtml, unreadLines, unreadMark, type Unread } from '../rules/unread.ts'
import type { Code, ListItem, Nodes, RootContent, Html } from 'mdast'

export type BodyItem =
  | (Place & { readonly kind: 'prose' | 'comment' | 'break' })
  | (Place & { readonly kind: 'check'; readonly text: string })
  | (DirectiveComment & { readonly kind: 'directive' })
  | (Fence & { readonly kind: 'fence' })
  | Unread

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
    case 'code':
      return readCode(node, { container, context })
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
    case 'yaml':
      return []
    case 'definition':
      return unreadInText(node, context)
    default:
      reportInlineDirectives(node, context)
      return [{ kind: 'prose', ...place }, ...unreadInText(node, context)]
  }
}

function readCode(
  node: Code,
  { container, context }: { readonly container: Fence['container']; readonly context: BodyContext },
): readonly BodyItem[] {
  const fence = readFence(node, context)
  const { line, column } = placeOf(node)
  if (fence !== undefined) {
    const { marker, code, info } = fence
    const lost = unreadLines('fence', code.split('\n'), { line: line + 1, marker }).slice(0, 1)
    const isBlock = classifyFence(fence, { isAgentNone: false, followsBlock: false }) === 'block'
    const near = isBlock ? [] : unreadMark(info, { line, column })
    return [{ kind: 'fence', ...fence, ...(container && { container }) }, ...lost, ...near]
  }
  const lost = unreadLines('indented', linesOf(node, context), { line })
  const way = 'Put it into a fence, `console` to run it or `text`'
  const isShown = lost.length === 0 && looksLikeTranscript(node.value)
  return [
    { kind: 'prose', line, column },
    ...lost,
    ...(isShown ? [passedOver({ line, column }, 'This looks like a transcript', way)] : []),
  ]
}

/** Lines of a node from the first column, as they are written but for code and comments between words. */
function linesOf(node: Nodes, { text }: BodyContext): readonly string[] {
  const { start, end } = node.position ?? {}
  const from = (start?.offset ?? 0) - (start?.column ?? 1) + 1
  return hideIn(text.slice(from, end?.offset), [node], { types: ['inlineCode', 'comment'], from, sign: 'x' }).split(
    '\n',
  )
}

function unreadInText(node: Nodes, context: BodyContext): readonly Unread[] {
  return [...unreadLines('text', linesOf(node, context), placeOf(node)), ...codeIn(node)]
}

function codeIn(node: Nodes): readonly Unread[] {
  if (node.type === 'html') return codeInHtml(node.value, placeOf(node).line)
  return 'children' in node ? node.children.flatMap(codeIn) : []
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

const directiveHead = /^<!--\s*mdtest\s*:/i

/** Reads a block of raw HTML: directives, other comments, and what is prose because it shows text. */
function readHtml(node: Html, { report }: BodyContext): readonly BodyItem[] {
  let place: Place = placeOf(node)
  const parts = node.value.split(/(<!--[^]*?(?:-->|$))/).map((text) => {
    const part = { text, ...place, isComment: text.startsWith('<!--') }
    place = advance(place, text)
    return part
  })
  const others = parts.filter(({ isComment, text }) => !isComment && text.trim() !== '')
  const comments = parts.filter(({ isComment }) => isComment)
  const near = comments
    .filter(({ text }) => !directiveHead.test(text))
    .flatMap(({ text, line }) => unreadLines('comment', text.split('\n').slice(0, 1), { line }))
  if (others.length === 0) return [...comments.map(toItem), ...near]
  for (const part of comments) {
    if (!directiveHead.test(part.text)) continue
    const message =
      'A directive inside other HTML would be ignored. Put it on a line of its own, with nothing after it.'
    report('misplaced-directive', part, message)
  }
  const hasText = others.some(({ text }) => text.replace(/<[^<>]*>/g, '').trim() !== '')
  return [
    { kind: hasText ? 'prose' : 'comment', ...placeOf(node) },
    ...near,
    ...others.flatMap(({ text, line }) => unreadInHtml(text, line)),
  ]
}

function toItem({ text, line, column }: Place & { readonly text: string }): BodyItem {
  const head = text.endsWith('-->') ? directiveHead.exec(text)?.[0] : undefined
  if (head === undefined) return { kind: 'comment', line, column }
  const start = advance({ line, column }, head)
  return { kind: 'directive', line, column, text: text.slice(head.length, -'-->'.length), start }
}
