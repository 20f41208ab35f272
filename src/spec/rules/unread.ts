import { isNearly } from '../../system/text/did-you-mean.ts'
import { classifyFence, isOutput, isText, looksLikeTranscript, normalizeLanguage, splitInfo } from '../blocks/fence.ts'
import { parseWords } from '../front-matter/value-forms.ts'
import type { Place } from '../spec.ts'
import type { SpecRuleId } from './spec-rules.ts'

/** What stands in a section, looks like something of ours, and is read as nothing. */
export interface Unread extends Place {
  readonly kind: 'unread'
  readonly ruleId: SpecRuleId
  readonly message: string
  /** Who would have read it. Default: both. */
  readonly when?: 'agent' | 'no-agent' | undefined
}

/** How a line is lost: in a node that is read as a whole. */
type Where = 'comment' | 'fence' | 'html' | 'indented' | 'text'

const ways = {
  fence: 'is inside another fence. Close that fence before, or give it a longer marker',
  html: 'is part of raw HTML. Put a blank line before it, or move it out of the HTML',
  indented:
    'is indented by four blanks, which makes it code. Begin it at the first column, or where its list item begins',
  text: 'is part of a paragraph. Put a blank line before it, and begin it at the first column',
} as const satisfies Readonly<Record<Exclude<Where, 'comment'>, string>>

const bullet = String.raw`(?:[-*+•–—]|\d+[.)])`
const check = new RegExp(String.raw`^[\s>]*${bullet}[ \t]+\[[ xX]\][ \t]+\S|<input\b[^>]*\bcheckbox`, 'i')
/** No blank behind the bullet or the box, an odd box, no text, or no bullet. */
const nearCheck = new RegExp(
  [
    String.raw`^[\s>|]*(?:${bullet}[*_]{0,2}\[[ \txX]?\](?![(:[])|${bullet}\s+[*_]{1,2}\[[ \txX]?\]`,
    String.raw`${bullet}\s+(?:\[(?:\s{2,}|[\t\-_*.✓✔✗]?)\]|\(\s\))\s|${bullet}\s+\[[ \xA0xX]\](?![(:[ \t])\S`,
    String.raw`${bullet}\s+\[[ \xA0xX]\]\s*$|\[[ \t]\][ \t]+\S|[•–—][ \t]+\[[ xX]\]\s|(?:${bullet}\s+)?[☐☑☒]\s?\S`,
    String.raw`\|\s*${bullet}[ \t]+\[[ xX]\]\s|${bullet}[ \t]+\[[ xX]\]\xA0)`,
  ].join('|'),
  'u',
)
const nearHeading = /^ {0,3}(?:#{2,6}[^#\s]|#\p{Lu}\p{Ll})|^\s*[^\P{Zs} ]\s*#{1,6}\s/u
const directive = String.raw`\W{1,3}(?:skip|only|todo|fails|tags|timeout|retry|repeats|require|agent)\b`
const nearDirective = new RegExp(String.raw`(?:<\s*!|\{\s*/?\*?|^\[[^\]]*\]:\s*#)[^\w\n]*md?-?te?sts?${directive}`, 'i')

/** Lines of such a node that look like something of ours. @param marker of the fence: shorter and other ones are content */
export function unreadLines(
  where: Where,
  lines: readonly string[],
  { line, marker = '' }: UnreadPlace,
): readonly Unread[] {
  return lines.flatMap((text, index): readonly Unread[] => {
    const [ruleId, message, when] = see(text, { where, marker, next: lines[index + 1] ?? '' }) ?? []
    return ruleId === undefined || message === undefined
      ? []
      : [{ kind: 'unread', ruleId, line: line + index, column: 1, message, when }]
  })
}

const opening = /^[\s>]*(?:(`{3,})([^`]+)|(~{3,})(.+))$/

interface UnreadPlace {
  readonly line: number
  readonly marker?: string
}

type Seen = readonly [ruleId: SpecRuleId, message: string, when?: Unread['when']]

function see(
  text: string,
  { where, marker, next }: { readonly where: Where; readonly marker: string; readonly next: string },
): Seen | undefined {
  if (nearDirective.test(text) && where !== 'fence') {
    return ['near-miss', 'This would be ignored. Did you mean `<!-- mdtest: … -->`?']
  }
  if (where === 'comment') return undefined
  // CommonMark 4.5: backticks allow no backtick in the info string.
  const [, ticks, afterTicks, tildes = '', afterTildes = ''] = opening.exec(text) ?? []
  const [fence, info] = [ticks ?? tildes, afterTicks ?? afterTildes]
  if (fence.startsWith(marker) && info.trim() !== '') {
    const when = whenRun(info.trim())
    const isLanguage = where === 'fence' && /^[ \t]*[\w+#.-]+[ \t]*$/.test(info)
    if (when !== undefined || isLanguage) {
      return [
        'swallowed-block',
        `This block would not run: it ${ways[where]}.`,
        isLanguage ? undefined : when || undefined,
      ]
    }
  }
  if (where === 'fence') return undefined
  if (where !== 'text' && (check.test(text) || nearCheck.test(text))) {
    return ['swallowed-block', `Nobody would judge this check: it ${ways[where]}.`, 'agent']
  }
  const isUnderlined = /^ {0,3}[^\s<=-]/.test(text) && /^ {0,3}(?:=+|-+)[ \t]*$/.test(next)
  if (where === 'html' && (isUnderlined || /^ {0,3}#{1,6}[ \t]+\S/.test(text))) {
    return ['swallowed-block', `This heading would be no step: it ${ways.html}.`]
  }
  if (where !== 'text') return undefined
  if (nearCheck.test(text))
    return ['near-miss', 'This is no check. Did you mean `- [ ] …`, in a list of its own?', 'agent']
  return nearHeading.test(text)
    ? ['near-miss', 'This is no heading, so it would be no step. Put one blank behind `#`.', 'agent']
    : undefined
}

/** Where a fence would run: `''` everywhere, `undefined` nowhere. */
function whenRun(info: string): 'no-agent' | '' | undefined {
  const fence = { ...splitInfo(parseWords(info, { line: 1, column: 1 })), code: 'not empty' }
  const useOf = (isAgentNone: boolean): string => classifyFence(fence, { isAgentNone, followsBlock: false })
  if (useOf(false) === 'block' || nearMark(info) !== undefined) return ''
  const isBare = fence.words.length === 0 && /^[\w+#.-]+$/.test(fence.language)
  return useOf(true) === 'block' || (useOf(true) === 'passed-over' && isBare) ? 'no-agent' : undefined
}

/** The mark that an info string nearly has: a block with it would be prose. */
function nearMark(info: string): 'run' | 'verify' | undefined {
  const names = info.replace(/=(?:"[^"]*"|\S*)/g, ' ').match(/\p{L}+/gu) ?? []
  const name = names
    .map((each) => each.toLowerCase())
    .find((each) => /^(?:runs?|verif\w*)$/.test(each) || isNearly(each, 'verify', 2))
  return name === undefined ? undefined : name.startsWith('v') ? 'verify' : 'run'
}

const attributeOfBlocks = /(?:^|\s)(background|(?:exit|errexit|stream|wait)=\S+|env\.\w+=\S*)(?=\s|$)/

/** An info string with what is nearly a mark, or with an attribute of blocks and no mark. */
export function unreadMark(info: string, place: Place): readonly Unread[] {
  const [near, attribute] = [nearMark(info), attributeOfBlocks.exec(info)?.[1]]
  if (near === undefined && attribute === undefined) return []
  const message =
    near === undefined
      ? `\`${attribute}\` is for blocks that mdtest executes, and this one has no mark: the agent would read it as text. Write \`run\` or \`verify\` behind the language.`
      : `This block has no mark: the agent would read it as text. Did you mean \`${near}\`? It stands behind the language as a word of its own.`
  return [{ kind: 'unread', ruleId: 'near-miss', ...place, message, when: 'agent' }]
}

/** Elements whose content is never markdown, up to their end tag. */
const literal = /<(pre|script|style|textarea)\b(?:(?!<\1\b)[^])*?<\/\1>/gi

const fenced = /^ {0,3}(`{3,}|~{3,}).*\n[^]*?^ {0,3}\1[ \t]*$/gm

/** @param html without comments */
export function unreadInHtml(html: string, line: number): readonly Unread[] {
  const lines = html
    .replace(literal, (text) => text.replaceAll(/[^\n]/g, ''))
    .replace(fenced, (text) => text.replaceAll(/(?<=\n)[^\n]+/g, ''))
    .split('\n')
  const [first] = unreadLines('html', lines, { line })
  return first === undefined ? codeInHtml(html, line) : [first]
}

/** `<pre lang="sh">`, `<code class="language-sh">`, and what GitHub itself makes of a fence. */
const namedLanguage =
  /<(?:pre|code|div)\b[^>]*?(?:\blang=["']?|[\s"'](?:lang|language|highlight-source|highlight-text)-)([\w+#-]+)/gi

/** Code in raw HTML, which nobody executes; with an agent it is part of the instructions. */
export function codeInHtml(html: string, line: number): readonly Unread[] {
  const isForReaders = ({ 1: name = '' }: RegExpMatchArray): boolean => {
    const language = normalizeLanguage(name)
    return isText(language) || isOutput(language)
  }
  const isShown = ({ 0: whole }: RegExpMatchArray): boolean =>
    ![...whole.matchAll(namedLanguage)].some(isForReaders) && looksLikeTranscript(whole.replace(/<[^<>]*>/g, ''))
  const found =
    [...html.matchAll(namedLanguage)].find((match) => !isForReaders(match)) ??
    [...html.matchAll(/<pre\b[^]*?(?:<\/pre>|$)/gi)].find(isShown)
  if (found === undefined) return []
  const place = { line: line + html.slice(0, found.index).split('\n').length - 1, column: 1 }
  return [passedOver(place, 'This code is part of raw HTML', 'Write it as a fence, or say `lang="text"`')]
}

export function passedOver(place: Place, what: string, way: string): Unread {
  const message = `${what}, and no agent acts here, so it would be passed over. ${way}.`
  return { kind: 'unread', ruleId: 'swallowed-block', ...place, message, when: 'no-agent' }
}
