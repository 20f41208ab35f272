import type { Alignment } from './align-lines.ts'
import type { Output } from './output-lines.ts'
import { withoutNoEol } from './parse-expected.ts'

/** One line of the difference between expected output and output. */
export type Edit =
  /** A line as it is written, which stands for these lines of output. */
  | { readonly kind: 'kept'; readonly text: string; readonly index: number; readonly lines: readonly string[] }
  /** A line as it is written, which is not in the output. */
  | { readonly kind: 'lost'; readonly text: string; readonly index: number }
  /** The lost line before it, without its ` (no-eol)`: but for that it is in the output. */
  | { readonly kind: 'unmarked'; readonly text: string }
  /** A line of output that is not expected. */
  | { readonly kind: 'extra'; readonly line: string; readonly isUnfinished: boolean }

/** Says the alignment in terms of what is written and settles how the output ends. */
export function toEdits(
  alignment: readonly Alignment[],
  { expected, actual }: { readonly expected: readonly string[]; readonly actual: Output },
): readonly Edit[] {
  const last = alignment.findLastIndex(({ kind }) => kind !== 'lost')
  return alignment.flatMap((part, at): readonly Edit[] => {
    const isUnfinished = at === last && actual.isUnfinished
    if (part.kind === 'extra') return [{ ...part, isUnfinished }]
    const text = expected[part.index] ?? ''
    const bare = withoutNoEol(text)
    if (part.kind === 'kept' && bare !== text && part.index === expected.length - 1 && !isUnfinished) {
      return [
        { kind: 'lost', index: part.index, text },
        { kind: 'unmarked', text: bare },
      ]
    }
    return [{ ...part, text }]
  })
}

/** Index of the expected line at which the first difference is, from 0; it may be one after the last. */
export function firstDifference(edits: readonly Edit[]): number {
  let next = 0
  for (const edit of edits) {
    if (edit.kind !== 'kept') return edit.kind === 'lost' ? edit.index : next
    next = edit.index + 1
  }
  return next
}
