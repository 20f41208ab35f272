import { asSeen, explainMarks, markUnseen } from './look-alikes.ts'

export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
  readonly line?: number
  /** The original line, if `text` is its escaped form for a spec. */
  readonly raw?: string
}

export type LooksAlike = (expected: string, actual: string) => boolean

const looksTheSame: LooksAlike = (expected, actual) => asSeen(expected) === asSeen(actual)

const contextLines = 3
const maxShownLines = 80
const maxLineLength = 400
/** How much of the common beginning of two long lines is shown. */
const maxCommonLength = 100
/** Longer lines are not checked for look-alikes, because that takes a second for some megabytes. */
const maxComparedLength = 4000
/** How many lines away from its counterpart a look-alike is searched for. */
const maxShift = 3

/**
 * Formats a unified diff, with `-` for expected and `+` for actual. If it has several hunks, each names its line. Cuts
 * long lines and long diffs, and marks differences that cannot be seen.
 */
export function formatLineDiff(lines: readonly DiffLine[], looksAlike: LooksAlike = looksTheSame): string {
  const hunks = toHunks(sortRuns(lines)).map((hunk) => markAlike(cutHunk(hunk), looksAlike))
  const all = hunks.flatMap(({ hunk }) => {
    const line = hunk.find((each) => each.line !== undefined)?.line
    return [...(hunks.length > 1 ? [line === undefined ? '@@' : `@@ line ${line} @@`] : []), ...formatHunk(hunk)]
  })
  const hiddenCount = all.length - maxShownLines
  const marked = hunks.flatMap(({ marked }) => marked)
  return [
    ...all.slice(0, maxShownLines),
    ...(hiddenCount > 0 ? [`… ${hiddenCount} more lines`] : []),
    ...(marked.length > 0 ? ['', explainMarks(marked)] : []),
  ].join('\n')
}

function markAlike(hunk: readonly DiffLine[], looksAlike: LooksAlike) {
  const shown = [...hunk]
  const marked: (readonly [string, string])[] = []
  const mark = (at: number, line: DiffLine, other: DiffLine): void => {
    // The escaped form shows the difference already.
    if (line.text !== (line.raw ?? line.text)) return
    const text = markUnseen(line.text, other.raw ?? other.text)
    shown[at] = { ...line, text }
    marked.push([line.text, text])
  }
  for (const { lost, extra } of toPairs(hunk)) {
    for (const [index, at] of lost.entries()) {
      const near = extra.slice(Math.max(0, index - maxShift), index + maxShift + 1)
      const found = near.find((other) => isAlike(hunk[at], hunk[other], looksAlike))
      const [line, other] = [hunk[at], found === undefined ? undefined : hunk[found]]
      if (found === undefined || line === undefined || other === undefined) continue
      mark(at, line, other)
      mark(found, other, line)
    }
  }
  return { hunk: shown, marked: marked.filter(([plain, text]) => plain !== text) }
}

function isAlike(lost: DiffLine | undefined, extra: DiffLine | undefined, looksAlike: LooksAlike): boolean {
  if (!lost || !extra) return false
  const actual = extra.raw ?? extra.text
  const length = Math.max(lost.text.length, actual.length)
  return lost.text !== actual && length <= maxComparedLength && looksAlike(lost.text, actual)
}

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

function formatHunk(hunk: readonly DiffLine[]): readonly string[] {
  const partners = findPartners(hunk)
  return hunk.map(({ mark, text }, at) => `${mark} ${cutLine(text, partners[at])}`.trimEnd())
}

function findPartners(hunk: readonly DiffLine[]): readonly (string | undefined)[] {
  const partners: (string | undefined)[] = []
  for (const { lost, extra } of toPairs(hunk)) {
    for (const [index, at] of lost.slice(0, extra.length).entries()) {
      const other = extra[index] ?? at
      partners[at] = hunk[other]?.text
      partners[other] = hunk[at]?.text
    }
  }
  return partners
}

/** Pairs the indexes of each run of lost lines with the indexes of the extra lines that directly follow. */
function toPairs(hunk: readonly DiffLine[]): readonly { lost: readonly number[]; extra: readonly number[] }[] {
  const pairs: { lost: readonly number[]; extra: readonly number[] }[] = []
  for (let at = 0; at < hunk.length; at += runLength(hunk, at)) {
    const plus = at + runLength(hunk, at)
    if (hunk[at]?.mark !== '-' || hunk[plus]?.mark !== '+') continue
    const places = (from: number): readonly number[] =>
      Array.from({ length: runLength(hunk, from) }, (_, n) => from + n)
    pairs.push({ lost: places(at), extra: places(plus) })
  }
  return pairs
}

/** Cuts the end of a long line, and its beginning if the difference comes later. */
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
