import type { Code, Heading, Html, Nodes, Root, RootContent } from 'mdast'
import { closestName } from '../../system/text/did-you-mean.ts'
import { readFence } from '../blocks/fence.ts'
import { keys } from '../front-matter/read-front-matter.ts'
import { hideIn } from '../markdown/hidden-text.ts'
import { advance, inlineText, placeOf } from '../markdown/places.ts'
import type { Report } from './spec-rules.ts'

interface Document {
  readonly text: string
  /** With its front matter. */
  readonly root: Root
}

/**
 * Reports what makes markdown of a whole document something else than it looks like: front matter that is none, ends of
 * comments and fences that are missing or come too early, and paragraphs that a line below makes headings. Whatever stands
 * between may be anything, so that nothing of the document is to be relied on.
 *
 * @returns whether it can be read on: without its front matter each further problem would be a consequence
 */
export function reportMisread({ text, root }: Document, report: Report): boolean {
  const shown = hideIn(text, root.children, { types: ['yaml', 'code', 'inlineCode', 'comment'] }).split('\n')
  if (reportFrontMatter(shown, report)) return false
  reportCommentEnds({ text, root }, shown, report)
  reportOpen(root, text, report)
  reportUnderlined(root.children, text, report)
  return true
}

const rule = /^[ \t>]*(?:[-–—]{1,}|\+{3,})(?:[ \t]*ya?ml)?[ \t]*$/
const keyLine = /^[ \t>]*["']?([A-Za-z][\w-]*)["']?\s*[:=](?:\s|$)/
/** What may stand between keys: a comment, an item, a value that goes on. */
const moreYaml = /^[ \t>]*(?:$|#|-[ \t]+\S|[\]}])|^[ \t]+\S/

function reportFrontMatter(lines: readonly string[], report: Report): boolean {
  const first = lines.findIndex((line) => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    const isRule = rule.test(line)
    // Without a rule above it, only at the top.
    if (!isRule && index !== first) continue
    const from = isRule ? index + 1 : index
    const length = lines.slice(from).findIndex((each) => !keyLine.test(each) && !moreYaml.test(each))
    const body = lines.slice(from, length === -1 ? undefined : from + length)
    const names = body.flatMap((each) => keyLine.exec(each)?.[1] ?? [])
    const isTop = isRule && index === first && body[0] !== undefined && keyLine.test(body[0])
    const isOurs = names.some(
      (name) => Object.hasOwn(keys, name) || (name.length > 3 && closestName(name, ownNames) !== undefined),
    )
    if (!isTop && !isOurs) continue
    const message =
      'This looks like front matter, and it is read as text: front matter begins on line 1 at column 1 with a line `---` and ends with another one. Remove what stands above it; a line across the page is `***`.'
    report('front-matter-misplaced', { line: index + 1, column: 1 }, message)
    return true
  }
  return false
}

const ownNames = Object.keys(keys)

/** A comment ends at the first `-->`: one in its text, or that of a comment in it. */
function reportCommentEnds({ root }: Document, shown: readonly string[], report: Report): void {
  const comments = all(root).filter((node) => node.type === 'html' && node.value.includes('<!--'))
  for (const [index, line] of shown.entries()) {
    if (!/--!?>[ \t]*$/.test(line)) continue
    const opened = comments.map((node) => placeOf(node).line).findLast((at) => at <= index + 1)
    const message =
      opened === undefined
        ? 'This `-->` ends no comment: what stands above it is no comment, but read and carried out. A comment begins with `<!--`.'
        : `This \`-->\` ends no comment: the one of line ${opened} ends before, at its first \`-->\`, and what follows that is read and carried out. Say the first one in other words, or take the comment away.`
    report('swallowed-block', { line: index + 1, column: line.search(/--!?>[ \t]*$/) + 1 }, message)
  }
}

function reportOpen(root: Root, text: string, report: Report): void {
  for (const node of all(root)) {
    if (node.type === 'code') reportOpenFence(node, text, report)
    else if (node.type === 'html') reportOpenComments(node, report)
  }
}

function reportOpenComments(node: Html, report: Report): void {
  for (const { 0: whole, 1: said = '', index } of node.value.matchAll(/<!--(?:-?>|([^]*?)(?:-->|$))/g)) {
    const isClosed = whole.endsWith('>')
    if (isClosed && !/\S/.test(said.slice(0, Math.max(0, said.search(/\n {0,3}<!--/))))) continue
    const message = isClosed
      ? 'The comment is not closed before the next one begins and takes in what stands between. End it with `-->`.'
      : 'The comment is not closed and takes in all that follows. End it with `-->`.'
    const ruleId = /^\s*mdtest\s*:/i.test(said) ? 'unterminated-directive' : 'swallowed-block'
    report(ruleId, advance(placeOf(node), node.value.slice(0, index)), message)
  }
}

function reportOpenFence(node: Code, text: string, report: Report): void {
  const fence = readFence(node, { text })
  if (fence === undefined || fence.isClosed) return
  const message = `This code block is never closed, so all that follows is read as part of it. Add a line with only ${fence.marker} where it should end.`
  report('unterminated-fence', fence, message)
}

/** A line of `-` or `=` below a paragraph makes it a heading: meant is a line across the page, behind a blank one. */
function reportUnderlined(nodes: readonly RootContent[], text: string, report: Report): void {
  const isUnderlined = ({ position }: Heading): boolean => text[position?.start.offset ?? 0] !== '#'
  const depths = new Set(nodes.flatMap((node) => (node.type === 'heading' && !isUnderlined(node) ? [node.depth] : [])))
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'heading' || !isUnderlined(node)) continue
    const [before, after] = [nodes[index - 1], nodes[index + 1]]
    const said = inlineText(node)
    const { line } = placeOf(node)
    const last = node.position?.end.line ?? line
    const isSentence = /[.!:;,…]$|[.!?]\s+\p{L}/u.test(said) || last - line > 1 || said.split(' ').length > 8
    const empties = before?.type === 'heading' && !isUnderlined(before) && node.depth <= before.depth
    const isEmpty =
      depths.has(node.depth) && (after === undefined || (after.type === 'heading' && after.depth <= node.depth))
    if (!isSentence && !empties && !isEmpty) continue
    const effect = empties ? `, and the step of line ${placeOf(before).line} has no text any more` : ''
    const message = `Line ${last} makes a heading of line ${line}${effect}. Put a blank line between them if a line across the page is meant; a heading begins with \`#\`.`
    report('underlined-text', { line, column: 1 }, message)
  }
}

function all(node: Nodes): readonly Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(all) : [])]
}
