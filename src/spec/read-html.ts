import type { Html } from 'mdast'

import { advance } from './advance.ts'
import type { BodyContext, BodyItem } from './body-item.ts'
import type { Place } from './spec.ts'
import { findSwallowedFence } from './swallowed-fence.ts'

/** A stretch of raw HTML. */
interface HtmlPart {
  readonly kind: 'comment' | 'open-comment' | 'other'
  readonly text: string
}

type PlacedPart = HtmlPart & Place

const directiveHead = /^<!--\s*mdtest\s*:/i

/** Reads a block of raw HTML: directives, other comments, and what is prose because it shows text. */
export function readHtml(node: Html, context: BodyContext): readonly BodyItem[] {
  const parts = placeParts(node)
  const isOnlyComments = parts.every(({ kind, text }) => kind === 'comment' || text.trim() === '')
  if (isOnlyComments) return parts.filter(({ kind }) => kind === 'comment').map(toItem)
  for (const part of parts) reportPart(part, context)
  const hasText = parts.some(({ kind, text }) => kind === 'other' && text.replace(/<[^<>]*>/g, '').trim() !== '')
  const { line, column } = parts[0] ?? { line: 1, column: 1 }
  return [{ kind: hasText ? 'prose' : 'comment', line, column }]
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

/** What stands in HTML that is more than comments would be passed over. */
function reportPart(part: PlacedPart, { report }: BodyContext): void {
  const { kind, text } = part
  const isDirective = directiveHead.test(text)
  if (kind === 'comment' && isDirective) {
    const message =
      'A directive inside other HTML would be ignored. Put it on a line of its own, with nothing after it.'
    report('misplaced-directive', part, message)
  } else if (kind === 'open-comment') {
    // Any fence: under `agent: none` also one without a mark is executed.
    const isSwallowing = /^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3})/m.test(text)
    if (!isDirective && !isSwallowing) return
    const message = 'The comment is not closed and takes in all that follows. End it with `-->`.'
    report(isDirective ? 'unterminated-directive' : 'swallowed-block', part, message)
  } else if (kind === 'other') {
    const index = findSwallowedFence(text, '')
    if (index === undefined) return
    const message = 'This block is part of the raw HTML above it, so it would not run. Put a blank line before it.'
    report('swallowed-block', { line: part.line + index, column: 1 }, message)
  }
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
