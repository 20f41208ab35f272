const contextLines = 3
const maxShownLines = 80
const maxLineLength = 400
/** Above this many pairs of lines (about 20 ms) the differing middle is shown as a whole. */
const maxPairs = 1_000_000

type Mark = ' ' | '-' | '+'
type Edit = readonly [Mark, string]

/** Counted from 0, the first line that differs: it may be one after the last of either side. Undefined when equal. */
export function firstDifference(expected: readonly string[], actual: readonly string[]): number | undefined {
  const index = commonPrefix(expected, actual)
  return index === expected.length && index === actual.length ? undefined : index
}

/** A line diff, `-` expected and `+` actual, with a little context; long lines and long diffs are cut. */
export function formatLineDiff(expected: readonly string[], actual: readonly string[]): string {
  const prefix = commonPrefix(expected, actual)
  const suffix = commonPrefix(expected.slice(prefix).reverse(), actual.slice(prefix).reverse())
  const middle = diff(expected.slice(prefix, expected.length - suffix), actual.slice(prefix, actual.length - suffix))
  const edits: readonly Edit[] = [
    ...keep(expected.slice(Math.max(0, prefix - contextLines), prefix)),
    ...middle,
    ...keep(expected.slice(expected.length - suffix).slice(0, contextLines)),
  ]
  const shown = edits.slice(0, maxShownLines).map(([mark, line]) => `${mark} ${cut(line)}`.trimEnd())
  const hiddenCount = edits.length - shown.length
  return [...shown, ...(hiddenCount > 0 ? [`… ${hiddenCount} more lines`] : [])].join('\n')
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

function keep(lines: readonly string[]): readonly Edit[] {
  return lines.map((line) => [' ', line])
}

function diff(expected: readonly string[], actual: readonly string[]): readonly Edit[] {
  const all = (mark: Mark, lines: readonly string[]): readonly Edit[] => lines.map((line) => [mark, line])
  if (expected.length * actual.length > maxPairs) {
    // Half of what is shown for each side: one must not hide the other.
    return [...cutEdits(all('-', expected)), ...cutEdits(all('+', actual))]
  }
  const lengths = commonLengths(expected, actual)
  const width = actual.length + 1
  const edits: Edit[] = []
  let [i, j] = [0, 0]
  while (i < expected.length && j < actual.length) {
    const [left = '', right = ''] = [expected[i], actual[j]]
    if (left === right) {
      edits.push([' ', left])
      i += 1
      j += 1
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) {
      edits.push(['-', left])
      i += 1
    } else {
      edits.push(['+', right])
      j += 1
    }
  }
  return [...edits, ...all('-', expected.slice(i)), ...all('+', actual.slice(j))]
}

/** At `i * (b.length + 1) + j`: the length of the longest common subsequence of `a` from i and `b` from j. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [below, right] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0]
      lengths[i * width + j] = a[i] === b[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right)
    }
  }
  return lengths
}

function cutEdits(edits: readonly Edit[]): readonly Edit[] {
  const limit = maxShownLines / 2 - contextLines
  if (edits.length <= limit) return edits
  const mark = edits[0]?.[0] ?? ' '
  return [...edits.slice(0, limit - 1), [mark, `… ${edits.length - limit + 1} more lines`]]
}

function cut(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength)}… (${line.length} characters)`
}
