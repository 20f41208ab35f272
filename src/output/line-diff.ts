/** A line of a difference as it is shown. */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
  /** Line in the file, of an expected line. */
  readonly line?: number
}

const contextLines = 3
const maxShownLines = 80
const maxLineLength = 400
/** How much of what two long lines have in common is shown. */
const maxCommonLength = 100

/**
 * A unified diff, `-` expected and `+` actual. Where there are several places, each is headed by its line in the file.
 * Long lines and long diffs are cut.
 */
export function formatLineDiff(lines: readonly DiffLine[]): string {
  const hunks = toHunks(sortRuns(lines))
  const all = hunks.flatMap((hunk) => [...(hunks.length > 1 ? [formatHead(hunk)] : []), ...formatHunk(cutHunk(hunk))])
  const hiddenCount = all.length - maxShownLines
  return [...all.slice(0, maxShownLines), ...(hiddenCount > 0 ? [`… ${hiddenCount} more lines`] : [])].join('\n')
}

/** In each run of differing lines what was expected comes first. */
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

/** Differing lines with a little context, joined where they are close. */
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

function formatHead(hunk: readonly DiffLine[]): string {
  const line = hunk.find(({ line }) => line !== undefined)?.line
  return line === undefined ? '@@' : `@@ line ${line} @@`
}

/** Half of what is shown for each side: one must not hide the other. */
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

/** For each line the one that stands in its place on the other side, where there is one. */
function findPartners(hunk: readonly DiffLine[]): readonly (string | undefined)[] {
  const partners: (string | undefined)[] = []
  for (let at = 0; at < hunk.length; at += runLength(hunk, at)) {
    const plus = at + runLength(hunk, at)
    if (hunk[at]?.mark !== '-' || hunk[plus]?.mark !== '+') continue
    const count = Math.min(plus - at, runLength(hunk, plus))
    for (let n = 0; n < count; n += 1) {
      partners[at + n] = hunk[plus + n]?.text
      partners[plus + n] = hunk[at + n]?.text
    }
  }
  return partners
}

/** Cuts the end of a long line, and its beginning where the difference is further on. */
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
