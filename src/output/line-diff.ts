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

/**
 * A unified diff, `-` expected and `+` actual. Where there are several places, each is headed by its line in the file.
 * Long lines and long diffs are cut.
 */
export function formatLineDiff(lines: readonly DiffLine[]): string {
  const hunks = toHunks(sortRuns(lines))
  const all = hunks.flatMap((hunk) => [
    ...(hunks.length > 1 ? [formatHead(hunk)] : []),
    ...cutHunk(hunk).map(formatLine),
  ])
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
  const end = hunk.findIndex(({ mark }, index) => index > at && mark !== hunk[at]?.mark)
  return (end === -1 ? hunk.length : end) - at
}

function formatLine({ mark, text }: DiffLine): string {
  const cut = text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength)}… (${text.length} characters)`
  return `${mark} ${cut}`.trimEnd()
}
