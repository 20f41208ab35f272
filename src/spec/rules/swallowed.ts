import {
  type Fence,
  classifyFence,
  splitInfo,
  isOutput,
  isText,
  looksLikeTranscript,
  normalizeLanguage,
} from '../blocks/fence.ts'
import { parseWords } from '../front-matter/value-forms.ts'
import type { Nodes } from 'mdast'
import type { Place } from '../spec.ts'
import { placeOf } from '../markdown/places.ts'

export interface Finding {
  /** Index of its line in the text, from 0. */
  readonly index: number
  /** `code`: a block of a language that is not executed. */
  readonly what: 'block' | 'code' | 'heading'
  /** Only where no agent acts it would be executed, or is code that nobody would execute. */
  readonly isOnlyWithoutAgent: boolean
}

/** What looks like a block or a heading and stands in text that is not read as markdown. */
export interface Swallowed extends Place, Omit<Finding, 'index'> {
  readonly kind: 'swallowed'
  readonly message: string
}

/** Whether the text of a comment or fence without an end holds what was meant to stand on its own. */
export function holdsMarkdown(text: string): boolean {
  return /^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3})/m.test(text) || /^ {0,3}[^\s<=-].*\n {0,3}(?:=+|-+)[ \t]*$/m.test(text)
}

/**
 * Looks inside a fence for what tells that its end was forgotten: an opening line that could not stand inside it.
 * Gives what is lost first, with and without an agent.
 *
 * @param outer marker of the fence; a shorter or different one inside it is content
 */
export function findInFence(text: string, outer: string): readonly Finding[] {
  if (!/`{3}|~{3}/.test(text)) return []
  const lines = readLines(text)
  const ends = lines.filter(({ opening }) => opening && opening.info !== '' && opening.marker.startsWith(outer))
  return findLost((isLost) => {
    const first = lines.find(isLost)
    const end = first && ends.find(({ index }) => index >= first.index)
    return end && isLost(end) ? end : end && first
  })
}

export function swallowedByFence({ line, column, marker, code }: Fence): readonly Swallowed[] {
  const where = `inside the fence that opens on line ${line}`
  const way = 'Close that fence before, or give it a longer marker'
  return findInFence(code, marker).map((found) => toSwallowed(found, { line: line + 1, column, where, way }))
}

/** @param line of the spec at which the raw HTML begins */
export function swallowedByHtml(html: string, line: number): readonly Swallowed[] {
  const where = 'part of raw HTML'
  const way = 'Put a blank line before it, or move it out of the HTML'
  const found = findInHtml(html).map((each) => toSwallowed(each, { line, column: 1, where, way }))
  return found.length > 0 ? found : findCodeInHtml(html, line)
}

function toSwallowed(
  { index, what, isOnlyWithoutAgent }: Finding,
  { line, column, where, way }: Place & { readonly where: string; readonly way: string },
): Swallowed {
  const [name, effect] = what === 'heading' ? [what, 'it would be no step'] : ['block', 'it would not run']
  const message = `This ${name} is ${where}, so ${effect}. ${way}.`
  return { kind: 'swallowed', what, line: line + index, column, message, isOnlyWithoutAgent }
}

/** Looks inside raw HTML, which ends at a blank line or later, for blocks and headings. */
export function findInHtml(text: string): readonly Finding[] {
  if (!/^ {0,3}[#`~=-]/m.test(text)) return []
  let marker: string | undefined
  const outside = readLines(text, withoutLiteral(text)).filter(({ opening }) => {
    const isOutside = marker === undefined
    if (marker === undefined) marker = opening?.marker
    else if (opening?.info === '' && opening.marker.startsWith(marker)) marker = undefined
    return isOutside
  })
  return findLost((isLost) => outside.find(isLost))
}

interface Opening {
  readonly marker: string
  readonly info: string
}

interface TextLine {
  readonly index: number
  readonly opening: Opening | undefined
  readonly isHeading: boolean
}

/** @param shown the same lines, in which headings are looked for */
function readLines(text: string, shown = text): readonly TextLine[] {
  const lines = shown.split('\n')
  return text.split('\n').map((line, index) => ({
    index,
    opening: readOpening(line),
    isHeading: isHeading(lines[index] ?? '', lines[index + 1] ?? ''),
  }))
}

/** Where an agent acts only marked blocks are executed; what is lost to it is lost without one as well. */
function findLost(search: (isLost: (line: TextLine) => boolean) => TextLine | undefined): readonly Finding[] {
  for (const isOnlyWithoutAgent of [false, true]) {
    const lost = search((line) => lossAt(line, isOnlyWithoutAgent) !== undefined)
    const what = lost && lossAt(lost, isOnlyWithoutAgent)
    if (lost && what) return [{ index: lost.index, what, isOnlyWithoutAgent }]
  }
  return []
}

function lossAt({ opening, isHeading }: TextLine, isAgentNone: boolean): Finding['what'] | undefined {
  return (opening && lossOf(opening, isAgentNone)) ?? (isHeading ? 'heading' : undefined)
}

function lossOf({ info }: Opening, isAgentNone: boolean): 'block' | 'code' | undefined {
  if (info === '' || (!isAgentNone && !/run|verify|file=/.test(info))) return undefined
  const fence = { ...splitInfo(parseWords(info, { line: 1, column: 1 })), code: 'not empty' }
  const use = classifyFence(fence, { isAgentNone, followsBlock: false })
  // Output may show what opens a fence with anything behind it.
  const isCode = use === 'passed-over' && /^[\w+#.-]+$/.test(fence.language)
  return use === 'block' ? use : isCode ? 'code' : undefined
}

function readOpening(line: string): Opening | undefined {
  // CommonMark 4.5: backticks allow no backtick in the info string.
  const match = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(line)
  if (match === null) return undefined
  return { marker: match[1] ?? match[3] ?? '', info: (match[2] ?? match[4] ?? '').trim() }
}

/** A line of `#` signs and a title, or the line of a title with `===` or `---` below it. */
function isHeading(line: string, next: string): boolean {
  if (/^ {0,3}#{1,6}[ \t]+\S/.test(line)) return true
  return /^ {0,3}[^\s<=-]/.test(line) && /^ {0,3}(?:=+|-+)[ \t]*$/.test(next)
}

/** Elements whose content is never markdown, up to their end tag; a `#` in a `<pre>` is no heading. */
function withoutLiteral(html: string): string {
  const literal = /<(pre|script|style|textarea)\b(?:(?!<\1\b)[^])*?<\/\1>/gi
  return html.replace(literal, (text) => text.replaceAll(/[^\n]/g, ''))
}

/** `<pre lang="sh">`, `<code class="language-sh">`, and what GitHub itself makes of a fence. */
const namedLanguage =
  /<(?:pre|code|div)\b[^>]*?(?:\blang=["']?|[\s"'](?:lang|language|highlight-source|highlight-text)-)([\w+#-]+)/gi

const preformatted = /<pre\b[^]*?(?:<\/pre>|$)/gi

/** Code in raw HTML, which nobody executes; with an agent it is part of the instructions. */
function findCodeInHtml(html: string, line: number): readonly Swallowed[] {
  const isForReaders = ({ 1: name = '' }: RegExpMatchArray): boolean => {
    const language = normalizeLanguage(name)
    return isText(language) || isOutput(language)
  }
  const named = [...html.matchAll(namedLanguage)].find((match) => !isForReaders(match))
  const shown = [...html.matchAll(preformatted)].find(
    ({ 0: whole }) =>
      ![...whole.matchAll(namedLanguage)].some(isForReaders) && looksLikeTranscript(whole.replace(/<[^<>]*>/g, '')),
  )
  const found = named ?? shown
  if (found === undefined) return []
  const message =
    'This code is part of raw HTML, and no agent acts here, so it would be passed over. Write it as a fence, or say `lang="text"`.'
  return [codeAt({ line: line + html.slice(0, found.index).split('\n').length - 1, column: 1 }, message)]
}

export function findCodeInText(node: Nodes): readonly Swallowed[] {
  if (node.type === 'html') return findCodeInHtml(node.value, placeOf(node).line)
  return 'children' in node ? node.children.flatMap(findCodeInText) : []
}

export function findIndentedTranscript(node: Nodes & { readonly value: string }): readonly Swallowed[] {
  if (!looksLikeTranscript(node.value)) return []
  const message =
    'This looks like a transcript, and no agent acts here, so it would be passed over. Put it into a fence, `console` to run it or `text`.'
  return [codeAt(placeOf(node), message)]
}

function codeAt(place: Place, message: string): Swallowed {
  return { kind: 'swallowed', what: 'code', ...place, message, isOnlyWithoutAgent: true }
}
