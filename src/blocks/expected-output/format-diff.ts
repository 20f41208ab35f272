import { escapeLine } from './escape-line.ts'

export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
  readonly line?: number
  /** The original line, if `text` is its escaped form for a spec. */
  readonly raw?: string
}

const contextLines = 3
const maxShownLines = 80
const maxLineLength = 400
/** How much of the common beginning of two long lines is shown. */
const maxCommonLength = 100
/** Longer lines are not checked for look-alikes, because the check takes a second for some megabytes. */
const maxComparedLength = 4000

/** Formats a unified diff: `-` is expected, `+` is actual. Blanks and invisible characters that differ are marked. */
export function formatLineDiff(lines: readonly DiffLine[]): string {
  const hunks = toHunks(sortRuns(lines)).map(cutHunk)
  const formatted = hunks.map(formatHunk)
  const all = formatted.flatMap(({ texts }, at) => {
    const line = hunks[at]?.find((each) => each.line !== undefined)?.line
    return [...(hunks.length > 1 ? [line === undefined ? '@@' : `@@ line ${line} @@`] : []), ...texts]
  })
  const hiddenCount = all.length - maxShownLines
  return [
    ...all.slice(0, maxShownLines),
    ...(hiddenCount > 0 ? [`… ${hiddenCount} more lines`] : []),
    ...(formatted.some(({ isMarked }) => isMarked) ? ['', legend] : []),
  ].join('\n')
}

const legend =
  'What differs and cannot be seen is marked: `·` is a space, `→` is a tab, and `\\u…` is another character. Correct the line marked `-` in the spec, or what prints the other.'

function sortRuns(lines: readonly DiffLine[]): readonly DiffLine[] {
  const rank = { '-': 0, '+': 1, ' ': 0 }
  let run = 0
  const keyed = lines.map((line, at) => {
    const isKept = line.mark === ' '
    if (isKept || lines[at - 1]?.mark === ' ') run += 1
    return { line, key: 2 * run + rank[line.mark] }
  })
  return keyed.toSorted((a, b) => a.key - b.key).map(({ line }) => line)
}

function toHunks(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const hunks: { start: number; end: number }[] = []
  for (const [at, { mark }] of lines.entries()) {
    if (mark === ' ') continue
    const last = hunks.at(-1)
    if (last !== undefined && at - last.end <= contextLines) last.end = at + 1 + contextLines
    else hunks.push({ start: Math.max(0, at - contextLines), end: at + 1 + contextLines })
  }
  return hunks.map(({ start, end }) => lines.slice(start, end))
}

/** Shortens a hunk so that each side gets half of the shown lines. */
function cutHunk(hunk: readonly DiffLine[]): readonly DiffLine[] {
  if (hunk.length <= maxShownLines) return hunk
  const limit = maxShownLines / 2 - contextLines
  const shown: DiffLine[] = []
  for (let at = 0; at < hunk.length;) {
    const mark = hunk[at]?.mark ?? ' '
    const length = runLength(hunk, at)
    const run = hunk.slice(at, at + length)
    if (length <= limit) shown.push(...run)
    else shown.push(...run.slice(0, limit - 1), { mark, text: `… ${length - limit + 1} more lines` })
    at += length
  }
  return shown
}

function runLength(hunk: readonly DiffLine[], at: number): number {
  let end = at + 1
  while (end < hunk.length && hunk[end]?.mark === hunk[at]?.mark) end += 1
  return end - at
}

function formatHunk(hunk: readonly DiffLine[]): { readonly texts: readonly string[]; readonly isMarked: boolean } {
  const partners = findPartners(hunk)
  const marked = hunk.map((line, at) => markUnseen(line, hunk[partners[at] ?? -1]))
  return {
    texts: marked.map((text, at) => `${hunk[at]?.mark} ${cutLine(text, marked[partners[at] ?? -1])}`.trimEnd()),
    isMarked: marked.some((text, at) => text !== hunk[at]?.text),
  }
}

/** Pairs each lost line with an extra line that directly follows. Returns the partner's index for each line. */
function findPartners(hunk: readonly DiffLine[]): readonly (number | undefined)[] {
  const partners: (number | undefined)[] = []
  for (let at = 0; at < hunk.length; at += runLength(hunk, at)) {
    const plus = at + runLength(hunk, at)
    if (hunk[at]?.mark !== '-' || hunk[plus]?.mark !== '+') continue
    const count = Math.min(plus - at, runLength(hunk, plus))
    for (let index = 0; index < count; index += 1) {
      partners[at + index] = plus + index
      partners[plus + index] = at + index
    }
  }
  return partners
}

/** Marks invisible characters at the end of the line, or after the first difference if both lines look the same. */
function markUnseen({ mark, text, raw = text }: DiffLine, other: DiffLine | undefined): string {
  const counterpart = other?.raw ?? other?.text
  // An escaped line already shows its invisible characters.
  if (counterpart === undefined || text !== raw) return text
  if (Math.max(text.length, counterpart.length) > maxComparedLength) return text
  const isAlike = asSeen(counterpart) === asSeen(text)
  const isEndAlike = mark !== '-' || /\s$/.test(counterpart)
  if (!isAlike && isEndAlike) return text
  const start = (isAlike ? text.slice(0, commonLength(text, counterpart)) : text).trimEnd().length
  return text.slice(0, start) + text.slice(start).replaceAll(unseen, markOf)
}

const unseen = /[\s\p{Mn}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

function asSeen(line: string): string {
  return line
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(unseen, (character) => (character === ' ' ? ' ' : ''))
    .trimEnd()
}

function markOf(character: string): string {
  if (character === ' ') return '·'
  if (character === '\t') return '→'
  const escaped = escapeLine(character)
  return escaped === character ? `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}` : escaped
}

/** Cuts the end of a long line. If the difference comes late, also cuts the beginning. */
function cutLine(text: string, partner: string | undefined): string {
  if (text.length <= maxLineLength) return text
  const start = partner === undefined ? 0 : Math.max(0, commonLength(text, partner) - maxCommonLength)
  const end = start + maxLineLength
  const shown = `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
  return `${shown} (${text.length} characters)`
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
