import { classifyFence, splitInfo, type FenceLanguage } from '../blocks/fence.ts'
import { parseWords } from '../front-matter/parse-words.ts'

/** What looks like a block or a heading, in text that is not read as markdown. */
export interface Finding {
  /** Index of its line in the text, from 0. */
  readonly index: number
  /** `code`: a block of a language that is not executed. */
  readonly what: 'block' | 'code' | 'heading'
  /** Only where no agent acts it would be executed, or is code that nobody would execute. */
  readonly isOnlyWithoutAgent: boolean
}

/** Whether the text of a comment or fence without an end holds what was meant to stand on its own. */
export function holdsMarkdown(text: string): boolean {
  return /^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3})/m.test(text) || /^ {0,3}[^\s<=-].*\n {0,3}(?:=+|-+)[ \t]*$/m.test(text)
}

/**
 * Looks inside a fence for what tells that its end was forgotten: an opening line that could not stand inside it.
 * Gives what is lost first, with and without an agent.
 *
 * @param options.outer marker of the fence; a shorter or different one inside it is content
 * @param options.languages of the dialects
 */
export function findInFence(
  text: string,
  { outer, languages }: { readonly outer: string; readonly languages: readonly FenceLanguage[] },
): readonly Finding[] {
  if (!/`{3}|~{3}/.test(text)) return []
  const lines = text.split('\n')
  return withAndWithoutAgent(languages, (isLost) => {
    let first: Finding | undefined
    for (const [index, line] of lines.entries()) {
      const opening = readOpening(line)
      const isSame = opening !== undefined && opening.info !== '' && opening.marker.startsWith(outer)
      if (!isSame && first !== undefined) continue
      const found = isLost(opening, index) ?? (isHeading(lines, index) ? headingAt(index) : undefined)
      if (isSame && (found ?? first) !== undefined) return found ?? first
      first ??= found
    }
    return undefined
  })
}

/** Looks inside raw HTML, which ends at a blank line or later, for blocks and headings. */
export function findInHtml(text: string, languages: readonly FenceLanguage[]): readonly Finding[] {
  if (!/^ {0,3}[#`~=-]/m.test(text)) return []
  const lines = text.split('\n')
  const shown = withoutLiteral(text).split('\n')
  return withAndWithoutAgent(languages, (isLost) => {
    let marker: string | undefined
    for (const [index, line] of lines.entries()) {
      const opening = readOpening(line)
      if (marker === undefined) {
        const found = isLost(opening, index) ?? (isHeading(shown, index) ? headingAt(index) : undefined)
        if (found !== undefined) return found
        marker = opening?.marker
      } else if (opening?.info === '' && opening.marker.startsWith(marker)) marker = undefined
    }
    return undefined
  })
}

interface Opening {
  readonly marker: string
  readonly info: string
}

type IsLost = (opening: Opening | undefined, index: number) => Finding | undefined

/** Where an agent acts only marked blocks are executed; what is lost to it is lost without one as well. */
function withAndWithoutAgent(
  languages: readonly FenceLanguage[],
  search: (isLost: IsLost) => Finding | undefined,
): readonly Finding[] {
  const lostWith =
    (isOnlyWithoutAgent: boolean): IsLost =>
    (opening, index) => {
      const what = opening && lossOf(opening, { isAgentNone: isOnlyWithoutAgent, languages })
      return what && { index, what, isOnlyWithoutAgent }
    }
  const found = search(lostWith(false)) ?? search(lostWith(true))
  return found === undefined ? [] : [found]
}

function lossOf(
  { info }: Opening,
  { isAgentNone, languages }: { readonly isAgentNone: boolean; readonly languages: readonly FenceLanguage[] },
): 'block' | 'code' | undefined {
  if (info === '' || (!isAgentNone && !/run|verify|file=/.test(info))) return undefined
  const fence = { ...splitInfo(parseWords(info, { line: 1, column: 1 })), code: 'not empty' }
  const use = classifyFence(fence, { isAgentNone, followsBlock: false, languages })
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
function isHeading(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (/^ {0,3}#{1,6}[ \t]+\S/.test(line)) return true
  return /^ {0,3}[^\s<=-]/.test(line) && /^ {0,3}(?:=+|-+)[ \t]*$/.test(lines[index + 1] ?? '')
}

function headingAt(index: number): Finding {
  return { index, what: 'heading', isOnlyWithoutAgent: false }
}

/** Elements whose content is never markdown, up to their end tag; a `#` in a `<pre>` is no heading. */
function withoutLiteral(html: string): string {
  const literal = /<(pre|script|style|textarea)\b(?:(?!<\1\b)[^])*?<\/\1>/gi
  return html.replace(literal, (text) => text.replaceAll(/[^\n]/g, ''))
}
