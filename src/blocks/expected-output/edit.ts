import type { Alignment } from './align-lines.ts'
import { withoutNoEol, type Output } from './output-lines.ts'
import { type OutputForm, parseFormLine } from './parse-expected.ts'

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
export function toEdits(alignment: readonly Alignment[], { expected, form, actual }: EndContext): readonly Edit[] {
  const last = alignment.findLastIndex(({ kind }) => kind !== 'lost')
  return alignment.flatMap((part, at): readonly Edit[] => {
    const isUnfinished = at === last && actual.isUnfinished
    if (part.kind === 'extra') return [{ ...part, isUnfinished }]
    const text = expected[part.index] ?? ''
    const isMarked = part.index === expected.length - 1 && withoutNoEol(text) !== text
    const isEndWrong = isMarked ? !isUnfinished : isUnfinished && parseFormLine(text, form).needsNewline === true
    if (part.kind === 'lost' || !isEndWrong) return [{ ...part, text }]
    const lost: Edit = { kind: 'lost', index: part.index, text }
    // What a mark of scrut says of a line without its `(no-eol)` is another matter.
    return form === 'scrut'
      ? [lost, ...part.lines.map((line, index) => toExtra(line, isUnfinished && index === part.lines.length - 1))]
      : [lost, { kind: 'unmarked', text: withoutNoEol(text) }]
  })
}

interface EndContext {
  /** Lines as written. */
  readonly expected: readonly string[]
  readonly form: OutputForm
  readonly actual: Output
}

function toExtra(line: string, isUnfinished: boolean): Edit {
  return { kind: 'extra', line, isUnfinished }
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
