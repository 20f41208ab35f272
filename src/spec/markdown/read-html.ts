import type { Html } from 'mdast'

import { advance } from './places.ts'
import type { BodyContext, BodyItem, Swallowed } from './body-item.ts'
import { findCodeInHtml } from './hidden-code.ts'
import type { Place } from '../spec.ts'
import { findInHtml, holdsMarkdown } from '../rules/swallowed.ts'

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
  for (const part of parts) if (part.kind === 'comment') reportLateEnd(part, context)
  const isOnlyComments = parts.every(({ kind, text }) => kind === 'comment' || text.trim() === '')
  if (isOnlyComments) return parts.filter(({ kind }) => kind === 'comment').map(toItem)
  for (const part of parts) reportPart(part, context)
  const hasText = parts.some(({ kind, text }) => kind === 'other' && text.replace(/<[^<>]*>/g, '').trim() !== '')
  const { line, column } = parts[0] ?? { line: 1, column: 1 }
  return [{ kind: hasText ? 'prose' : 'comment', line, column }, ...parts.flatMap((part) => swallowedBy(part, context))]
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

function swallowedBy({ kind, text, line }: PlacedPart, { languages }: BodyContext): readonly Swallowed[] {
  if (kind !== 'other') return []
  const found = findInHtml(text, languages).map(({ index, what, isOnlyWithoutAgent }): Swallowed => {
    const [name, effect] = what === 'heading' ? [what, 'it would be no step'] : ['block', 'it would not run']
    const message = `This ${name} is part of raw HTML, so ${effect}. Put a blank line before it, or move it out of the HTML.`
    return { kind: 'swallowed', what, line: line + index, column: 1, message, isOnlyWithoutAgent }
  })
  return found.length > 0 ? found : findCodeInHtml(text, { line })
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
