import type { Code, Heading, Html, InlineCode, Nodes, Root, RootContent } from 'mdast'
import { isNearly } from '../../system/text/did-you-mean.ts'
import * as fences from '../blocks/fence-languages.ts'
import { isWebAddress, parseWords } from '../front-matter/value-forms.ts'
import { hideFences, hideIn } from '../markdown/hidden-text.ts'
import { top, advance, inlineText, placeOf } from '../markdown/positions-and-placeholders.ts'
import type { Place } from '../spec.ts'
import type { SpecRuleId } from './spec-rules.ts'

/** Text that probably will not do what its author meant, such as a fence inside raw HTML. */
export interface Suspect extends Place {
  readonly ruleId: SpecRuleId
  readonly message: string
  /** Reader for whom the line is a problem. `nobody`: only an unread line is a problem. Default: all readers. */
  readonly when?: 'agent' | 'no-agent' | 'nobody' | undefined
  /** `part`: no problem in documents of other tools. `block`: has another message there. Default: as in specs. */
  readonly as?: 'block' | 'part'
}

const nowhere =
  'No section with steps holds this, so it would do nothing. Move it below the heading of a step, or take it away.'

export function suspectsIn(root: Root, text: string): readonly Suspect[] {
  const nodes = all(root)
  return [
    ...nodes.flatMap((found) => look(found, text)),
    ...lostEnds(hideIn(text, root.children, { types: ['yaml', 'code', 'inlineCode', 'comment'] })),
    ...underlined(root.children, text),
    ...innerHeadings(nodes, root),
  ]
}

/** Headings in lists, quotes and footnotes begin no step. */
function innerHeadings(nodes: readonly Found[], { children }: Root): readonly Suspect[] {
  const own = new Set<Nodes>(children)
  const message = 'A heading in a list, quote or footnote is no step. Begin it at the first column, or write bold text.'
  return nodes.flatMap(({ node }) =>
    node.type !== 'heading' || own.has(node) ? [] : [{ ruleId: 'near-miss', ...placeOf(node), message, as: 'part' }],
  )
}

interface Found {
  readonly node: Nodes
  readonly isInline: boolean
}

function all(node: Nodes, isInline = false): readonly Found[] {
  const holdsText = isInline || node.type === 'paragraph' || node.type === 'heading' || node.type === 'table'
  return [{ node, isInline }, ...('children' in node ? node.children.flatMap((child) => all(child, holdsText)) : [])]
}

function look({ node, isInline }: Found, text: string): readonly Suspect[] {
  switch (node.type) {
    case 'code':
      return inCode(node, text)
    case 'html':
      return inHtml(node, isInline)
    case 'heading':
      return /^#+[ \t]+\[[ xX]\]\s/.test(text.slice(node.position?.start.offset)) ? [noCheck(placeOf(node))] : []
    case 'text':
      return openComment(node, text)
    case 'definition':
      return inLines(isWebAddress(node.url) ? 'comment' : 'text', maskedLines(node, text), placeOf(node))
    case 'tableCell': // A box alone says yes or no.
      return /^\[[ xX]\]$/.test(inlineText(node).trim()) ? [] : inLines('text', maskedLines(node, text), placeOf(node))
    case 'paragraph':
      return inLines('text', maskedLines(node, text), placeOf(node))
    case 'inlineCode':
      return shortFence(node, text)
    default:
      return []
  }
}

function inCode(node: Code, text: string): readonly Suspect[] {
  const place = placeOf(node)
  const fence = fences.readFence(node, { text })
  if (fence === undefined) {
    const lost = [...openComment(node, text), ...inLines('indented', maskedLines(node, text), place)]
    if (lost.length > 0 || !fences.looksLikeTranscript(node.value)) return lost
    return [passedOver(place, 'This looks like a transcript', 'Put it into a fence, `console` to run it or `text`')]
  }
  const { marker, code, isClosed } = fence
  const message = `This code block is never closed, so all that follows is read as part of it. Add a line with only ${marker} where it should end.`
  return [
    ...(isClosed ? [] : [{ ruleId: 'unterminated-fence', ...place, message } as const]),
    ...inLines('fence', code.split('\n'), { line: place.line + 1, marker }).slice(0, 1),
    ...(fences.isMarked(fence)
      ? [{ ruleId: 'block-in-context', ...place, message: nowhere, as: 'block', when: 'nobody' } as const]
      : nearMarkIn(fence)),
  ]
}

/** Markdown reads a fence of one or two backticks as inline code. */
function shortFence(node: InlineCode, text: string): readonly Suspect[] {
  const raw = text.slice(node.position?.start.offset, node.position?.end.offset)
  const [, , info = ''] = /^(`{1,2})([^`\n]+)\n(?:[^]*\n)?\1$/.exec(raw) ?? []
  const message = 'This block would do nothing. Begin and end it with three backticks.'
  return info === '' || whoRuns(info) === undefined
    ? []
    : [{ ruleId: 'near-miss', ...placeOf(node), message, as: 'block' }]
}

/** The whole source lines of a node. Each inline code and each comment in them is replaced by one `x`. */
function maskedLines(node: Nodes, text: string): readonly string[] {
  const { start, end } = node.position ?? {}
  const from = (start?.offset ?? 0) - (node.type === 'tableCell' ? 0 : (start?.column ?? 1) - 1)
  const own = text.slice(from, end?.offset)
  return hideIn(own, [node], { types: ['inlineCode', 'comment', 'linkReference'], from, sign: 'x' }).split('\n')
}

const directiveHead = /^<!--\s*mdtest\s*:/i

/** Markdown reads a comment as text if it is not closed in its paragraph, and as code if four blanks stand before it. */
function openComment(node: Nodes, text: string): readonly Suspect[] {
  const raw = text.slice(node.position?.start.offset, node.position?.end.offset)
  const [, said] = /(?<!\\)<!--([^]*)/.exec(raw) ?? []
  if (said === undefined || (node.type === 'code' && said.includes('-->'))) return []
  const ruleId = /^\s*mdtest\s*:/i.test(said) ? 'unterminated-directive' : 'swallowed-block'
  const message = 'This is no comment. Begin it at the first column, below an empty line, and close it with `-->`.'
  return [{ ruleId, ...placeOf(node), message }]
}

function inHtml(node: Html, isInline: boolean): readonly Suspect[] {
  const found: Suspect[] = []
  const place = placeOf(node)
  let [at, from] = [place, 0]
  const comment = /<!--(?:-?>|([^]*?)(?:-->|$))/g
  const html = node.value.replace(comment, (whole) => whole.replace(/[^\n]/g, ' '))
  const isAlone = !isInline && html.trim() === ''
  for (const { 0: whole, 1: said = '', index } of node.value.matchAll(comment)) {
    at = advance(at, node.value.slice(from, index))
    from = index
    const isClosed = whole.endsWith('>')
    const isDirective = directiveHead.test(whole)
    // If text follows a comment of several lines, the comment probably ended at an earlier `-->` than intended.
    const endsEarly = whole.includes('\n') && /^.*\S/.test(html.slice(index + whole.length).replace(/<[^>]*>/g, ''))
    if (!isClosed || endsEarly || /\S/.test(said.slice(0, Math.max(0, said.search(/\n {0,3}<!--/))))) {
      const what = isClosed
        ? 'ends at another `-->` than the one meant, so that text is lost or carried out'
        : 'is not closed and takes in all that follows'
      const ruleId = isDirective ? 'unterminated-directive' : 'swallowed-block'
      found.push({ ruleId, ...at, message: `The comment ${what}. End it with \`-->\`.` })
    }
    if (!isDirective) found.push(...inLines('comment', [whole.replaceAll('\n', ' ')], at))
    else if (!isAlone) {
      const message = 'A directive inside text or HTML is ignored. Give it a line under a heading or above a block.'
      found.push({ ruleId: 'misplaced-directive', ...at, message })
    } else found.push({ ruleId: 'misplaced-directive', ...at, message: nowhere, as: 'block', when: 'nobody' })
  }
  if (isInline) return [...found, ...codeInHtml(node.value, place.line)]
  const shown = hideFences(html, 4)
  const text = hideFences(shown, 3).replace(literal, (whole) => whole.replace(/[^\n]/g, ''))
  const all = [
    ...inLines('html', text.split('\n'), place),
    ...inLines('literal', shown.replace(/<[^<>\n]*>/g, '').split('\n'), place),
  ]
  // Documents of other tools may lose headings and checks, but no blocks.
  const lost = all.find(({ as, when }) => as === 'block' && when === undefined) ?? all[0]
  return [...found, ...(lost === undefined ? codeInHtml(html, place.line) : [lost])]
}

/** Content that is never markdown. */
const literal = /<(pre|script|style|textarea)\b(?:(?!<\1\b)[^])*?<\/\1>/gi

/** Matches `<pre lang="sh">`, `<code class="language-sh">`, and the HTML that GitHub makes of a fence. */
const namedLanguage =
  /<(?:pre|code|div)\b[^>]*?(?:\blang=["']?|[\s"'](?:lang|language|highlight-source|highlight-text)-)([\w+#-]+)/gi

/** Finds code in raw HTML. An agent would read such code as instructions, but mdtest does not execute it. */
function codeInHtml(html: string, line: number): readonly Suspect[] {
  const isForReaders = ({ 1: name = '' }: RegExpMatchArray): boolean => {
    const language = fences.normalizeLanguage(name)
    return fences.isText(language) || fences.isOutput(language)
  }
  const isShown = ({ 0: whole }: RegExpMatchArray): boolean =>
    ![...whole.matchAll(namedLanguage)].some(isForReaders) && fences.looksLikeTranscript(whole.replace(/<[^<>]*>/g, ''))
  const found =
    [...html.matchAll(namedLanguage)].find((match) => !isForReaders(match)) ??
    [...html.matchAll(/<pre\b[^]*?(?:<\/pre>|$)/gi)].find(isShown)
  if (found === undefined) return []
  const place = { line: advance({ line, column: 1 }, html.slice(0, found.index)).line, column: 1 }
  return [passedOver(place, 'This code is part of raw HTML', 'Write it as a fence, or say `lang="text"`')]
}

function passedOver(place: Place, what: string, way: string): Suspect {
  const message = `${what}, and no agent acts here, so it would be passed over. ${way}.`
  return { ruleId: 'swallowed-block', ...place, message, when: 'no-agent' }
}

/** Finds a `-->` outside of a comment: the comment above it ended at an earlier `-->`. */
function lostEnds(shown: string): readonly Suspect[] {
  const message = 'This `-->` ends no comment, so the text above is carried out. Reword the first `-->` of the comment.'
  return shown.split('\n').flatMap((written, index): readonly Suspect[] => {
    const column = written.search(/--!?>[ \t]*$/) + 1
    return column === 0 ? [] : [{ ruleId: 'swallowed-block', line: index + 1, column, message }]
  })
}

/** A line of `-` or `=` makes a heading of the text above, but is probably meant as a horizontal rule. */
function underlined(nodes: readonly RootContent[], text: string): readonly Suspect[] {
  const isUnderlined = (node: RootContent | undefined): node is Heading =>
    node?.type === 'heading' && text[node.position?.start.offset ?? 0] !== '#'
  const isOther = (node: RootContent | undefined): node is Heading => node?.type === 'heading' && !isUnderlined(node)
  const depths = new Set(nodes.filter(isOther).map(({ depth }) => depth))
  return nodes.flatMap((node, index): readonly Suspect[] => {
    if (!isUnderlined(node)) return []
    const before = nodes
      .slice(0, index)
      .findLast((each) => each.type !== 'definition' && !(each.type === 'html' && each.value.startsWith('<!--')))
    const after = nodes[index + 1]
    const said = inlineText(node)
    const { line } = placeOf(node)
    const last = node.position?.end.line ?? line
    const isSentence = /[.!:;,…]$|[.!?]\s+\p{L}/u.test(said) || last - line > 1 || said.split(' ').length > 8
    const empties = isOther(before) && node.depth <= before.depth
    const isEmpty =
      depths.has(node.depth) && (after === undefined || (after.type === 'heading' && after.depth <= node.depth))
    if (!isSentence && !empties && !isEmpty) return []
    const effect = empties ? `, and the step of line ${placeOf(before).line} has no text any more` : ''
    const message = `Line ${last} makes a heading of line ${line}${effect}. Put a blank line between them if a line across the page is meant; a heading begins with \`#\`.`
    return [{ ruleId: 'underlined-text', line, column: 1, message }]
  })
}

const forAgent = { as: 'part', when: 'agent' } as const

function noCheck(place: Place): Suspect {
  const message = 'This is no check. Did you mean `- [ ] …`, in a list of its own?'
  return { ruleId: 'near-miss', ...place, message, ...forAgent }
}

type Where = 'comment' | 'fence' | 'html' | 'indented' | 'literal' | 'text'

const ways = {
  fence: 'is inside another fence. Close that fence before, or give it a longer marker',
  html: 'is part of raw HTML. Put a blank line before it, or move it out of the HTML',
  indented:
    'is indented by four blanks, which makes it code. Begin it at the first column, or where its list item begins',
  literal: 'is part of raw HTML. Move it out of the HTML, or show it in a fence with a longer marker',
  text: 'is part of a paragraph. Put a blank line before it, and begin it at the first column with backticks',
} as const satisfies Readonly<Record<Exclude<Where, 'comment'>, string>>

const check = /^[\s>]*(?:(?:[-*+]|\d+[.)])[ \t]+)+\[[ xX]\][ \t]+\S/
const bullet = String.raw`(?:[-*+•–—－]|(?:\d+|[a-z])[.)])`
/** Signs that look like a check box, with or without a variation selector. Marks such as `✅` are prose. */
const boxSign = '[\u2610-\u2612\u25A1\u2B1C\u{1F532}\u{1F533}]\uFE0F?'
const emptyBox = String.raw`[[［]\s*[xX]?\s*[\]］](?<!\[\])(?![([])|${boxSign}(?=\s*[^\s|])`
const anyBox = String.raw`${emptyBox}|\[\](?![([])|\[[^\p{L}\p{N}\s]\](?=\s)|[({]\s*[ xX]\s*[)}](?=\s)`
/** Text that begins with a check box. If such text does not match `check`, its bullet, blanks or box are wrong. */
const nearCheck = new RegExp(
  String.raw`^[\s>|]*(?:(?:${bullet}\s*)+[*_]{0,2}(?:${anyBox}|\\\[[ xX]?\\?\])|(?!\[\s*[xX]\s*\]:)(?:${emptyBox}))|<input\b[^>]*\b[cC]heckbox`,
  'u',
)
const nearHeading =
  /^ {0,3}(?:#{2,6}(?:[^#\s]|\xA0)|#\p{Lu}\p{Ll}|#{7,}\s)|^[\s>]*#{2,6}[ \t]+\S|^\s*[^\P{Zs} ]\s*#{1,6}\s/u
const directiveWord = String.raw`(?:skip|only|todo|fails|tags|timeout|retry|repeats|require|login|agent)\b`
const word = String.raw`(?:(?:skip|only|todo|fails)\b|(?:tags|timeout|retry|repeats|require|login|agent)\s*[=:]\s*[^\s>]+)`
/** Matches a directive with a wrong opening or name, and a comment with directive words but without `mdtest:`. */
const nearDirective = new RegExp(
  [
    String.raw`(?:<\s*!|\{\s*/?\*?|^\[[^\]]*\]:\s*#)[^\w\n<]*md?-?t[est]{2,3}s?[\W_]{1,3}${directiveWord}`,
    String.raw`^\s*(?:<!--|\[[^\]]*\]:\s*#\s*\()\W*(?:\w*test[\W_]+(?:[^\W_]*test[\W_]+)*)?(?!todo\b)(?:${word}[\s,;]*)+\W*$`,
  ].join('|'),
  'i',
)
/** Matches the first line of a fence, even if quotation marks are in place of backticks. */
const opening = /^[\s>]*(?:([`'´‘’]{3,})([^`]+)|(~{3,})(.+))$/

/** @param at.marker marker of the surrounding fence. A line with a shorter or different marker is only content. */
function inLines(
  where: Where,
  lines: readonly string[],
  { line, marker = '' }: { readonly line: number; readonly marker?: string },
): readonly Suspect[] {
  return lines.flatMap((text, index): readonly Suspect[] => {
    const add = (ruleId: SpecRuleId, message: string, more: Pick<Suspect, 'as' | 'when'> = {}): readonly Suspect[] => [
      { ruleId, line: line + index, column: 1, message, ...more },
    ]
    const isCode = where === 'fence' || where === 'literal'
    if (!isCode && nearDirective.test(text))
      return add('near-miss', 'This would be ignored. Did you mean `<!-- mdtest: … -->`?')
    if (where === 'comment') return []
    // CommonMark 4.5: the info string after backticks has no backtick.
    const [, ticks, afterTicks, tildes = '', afterTildes = ''] = opening.exec(text) ?? []
    const info = (afterTicks ?? afterTildes).trim()
    if (info !== '' && (ticks ?? tildes).startsWith(marker)) {
      const isLanguage = where === 'fence' && /^[\w+#.-]+$/.test(info)
      const isOutput = where === 'indented' && fences.isOutput(info)
      const when = isLanguage || isOutput ? 'anybody' : whoRuns(info)
      const more = { as: 'block', ...(when !== 'anybody' && { when }) } as const
      if (when !== undefined && (where !== 'literal' || when === 'anybody'))
        return add('swallowed-block', `This block would do nothing: it ${ways[where]}.`, more)
    }
    if (isCode) return []
    const isNearCheck = nearCheck.test(text)
    if (where === 'text') {
      // A check below a paragraph, without a blank line and indented, is part of the paragraph.
      if (isNearCheck && (index > 0 || !check.test(text))) return [noCheck({ line: line + index, column: 1 })]
      if (!nearHeading.test(text)) return []
      return add('near-miss', 'This is no heading, so it would be no step. Put one blank behind `#`.', forAgent)
    }
    if (isNearCheck) return add('swallowed-block', `Nobody would judge this check: it ${ways[where]}.`, forAgent)
    const isUnderlined = /^ {0,3}[^\s<=-]/.test(text) && /^ {0,3}(?:=+|-+)[ \t]*$/.test(lines[index + 1] ?? '')
    const isHeading =
      where === 'html'
        ? isUnderlined || /^ {0,3}#{1,6}[ \t]+\S/.test(text)
        : index === 0 && /^[\s>]*#{2,6}[ \t]+\S/.test(text)
    return isHeading ? add('swallowed-block', `This heading would be no step: it ${ways[where]}.`, { as: 'part' }) : []
  })
}

/** `anybody`: any spec executes a fence with this info string. `no-agent`: only a spec without an agent does. */
function whoRuns(info: string): 'anybody' | 'no-agent' | undefined {
  const fence = { ...fences.splitInfo(parseWords(info, top)), code: 'not empty' }
  if (fences.isMarked(fence) || nearMark(info) !== undefined) return 'anybody'
  const use = fences.classifyFence(fence, { isAgentNone: true, followsBlock: false })
  const isBare = fence.words.length === 0 && /^[\w+#.-]+$/.test(fence.language)
  return use === 'block' || use === 'output' || (use === 'passed-over' && isBare) ? 'no-agent' : undefined
}

/** The mark that an info string probably misspells, so that the fence would be read as prose. */
function nearMark(info: string): 'run' | 'verify' | 'file=' | undefined {
  for (const [index, { name, value }] of parseWords(info.toLowerCase(), top).entries()) {
    if (value !== undefined && isNearly(name, 'file')) return 'file='
    // The first word is a language, and some have names like `ron`.
    if (index > 0 && isNearly(name, 'run', 1)) return 'run'
    const parts = name.split(/[,;:{}]+/).map((part) => part.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    const near = parts.find((part) => /^(?:runs?|verif\p{L}*)$/u.test(part) || isNearly(part, 'verify', 2))
    if (near !== undefined) return near.startsWith('v') ? 'verify' : 'run'
  }
  return undefined
}

const attributeOfBlocks = /(?:^|\s)(background|(?:exit|errexit|stream|wait|cwd|timeout)=\S+|env\.\w+=\S*)(?=\s|$)/

/** Finds a misspelt mark, or an attribute for blocks without any mark. */
function nearMarkIn(fence: fences.Fence): readonly Suspect[] {
  const { info, line, column } = fence
  const [near, attribute] = [nearMark(info), attributeOfBlocks.exec(info)?.[1]]
  if (near === undefined && attribute === undefined) return []
  // Without an agent, code that is no text is a block or a problem already.
  const isText = fences.classifyFence(fence, { isAgentNone: true, followsBlock: false }) === 'prose'
  const effect = isText ? 'it would be read as text' : 'the agent would read it as text'
  const message =
    near === undefined
      ? `\`${attribute}\` is for blocks that mdtest executes, and this one has no mark: ${effect}. Write \`run\` or \`verify\` behind the language.`
      : `This block has no mark: ${effect}. Did you mean \`${near}\`? It stands behind the language as a word of its own.`
  return [{ ruleId: 'near-miss', line, column, message, as: 'block', ...(!isText && { when: 'agent' }) }]
}
