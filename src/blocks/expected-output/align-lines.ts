import { type Found, type Node, type Sides, search } from './search-alignment.ts'
import type { LinePattern } from './parse-expected.ts'
import { capturedValues } from './match-line.ts'
import { withoutNoEol, type Output } from './output-lines.ts'

export type Alignment =
  | { readonly kind: 'kept'; readonly index: number; readonly lines: readonly string[] }
  | { readonly kind: 'lost'; readonly index: number }
  | { readonly kind: 'extra'; readonly line: string }

/** Returns the captures if the output matches; otherwise `undefined`. Takes at most lines × patterns steps. */
export function matchLines(sides: Sides): ReadonlyMap<string, string> | undefined {
  const found = search(sides, 0)
  return found.isWhole ? capturedValues(found.node.bindings) : undefined
}

/** Pairs expected lines with output lines so that few expected lines are `lost` and few output lines are `extra`. */
export function alignLines({ patterns, lines, captures, onPattern }: Sides): readonly Alignment[] {
  const prefix = countEqual(patterns, lines)
  const suffix = countEqual(patterns.slice(prefix).reverse(), lines.slice(prefix).reverse())
  const middle = {
    patterns: patterns.slice(prefix, patterns.length - suffix),
    lines: lines.slice(prefix, lines.length - suffix),
  }
  const found = search({ ...middle, captures, onPattern: (index) => onPattern?.(index + prefix) }, Infinity)
  const kept = (line: string, index: number): Alignment => ({ kind: 'kept', index, lines: [line] })
  return [
    ...lines.slice(0, prefix).map((line, at) => kept(line, at)),
    ...readPath(found, middle).map((part) => (part.kind === 'extra' ? part : { ...part, index: part.index + prefix })),
    ...lines.slice(lines.length - suffix).map((line, at) => kept(line, patterns.length - suffix + at)),
  ]
}

function countEqual(patterns: readonly LinePattern[], lines: readonly string[]): number {
  const index = patterns.findIndex(
    (pattern, at) => !(pattern.kind === 'text' && pattern.times === 'once' && pattern.text === lines[at]),
  )
  return index === -1 ? patterns.length : index
}

/** Lists the steps to a node. Expected lines after the node are lost, and output lines after it are extra. */
function readPath(
  { node: end, matchers }: Found,
  { patterns, lines }: Pick<Sides, 'patterns' | 'lines'>,
): readonly Alignment[] {
  const nodes: Node[] = []
  for (let node = end; node.before !== undefined; node = node.before) nodes.push(node)
  const path: Alignment[] = []
  /** The index of the last expected line so far, and the output lines that it matched. */
  let lastIndex = -1
  let taken: string[] = []
  for (const { step, line, before } of nodes.reverse()) {
    const text = lines[line - 1] ?? ''
    const matcher = matchers[before?.at ?? 0]
    if (step === 'add' || matcher === undefined) {
      path.push({ kind: 'extra', line: text })
      continue
    }
    const { index } = matcher
    const isOngoing = index === lastIndex
    lastIndex = index
    if (step === 'lose') path.push({ kind: 'lost', index })
    else if (isOngoing && path.at(-1)?.kind === 'kept') {
      if (step === 'take') taken.push(text)
    } else if (!isOngoing || step === 'take') {
      taken = step === 'take' ? [text] : []
      path.push({ kind: 'kept', index, lines: taken })
    }
  }
  const lost = patterns.slice(lastIndex + 1).map((_, at): Alignment => ({ kind: 'lost', index: lastIndex + 1 + at }))
  return [...path, ...lost, ...lines.slice(end.line).map((line): Alignment => ({ kind: 'extra', line }))]
}

export type Edit =
  | { readonly kind: 'kept'; readonly text: string; readonly index: number; readonly lines: readonly string[] }
  | { readonly kind: 'lost'; readonly text: string; readonly index: number }
  /** The output has the lost line above, but with a newline. `text` lacks ` (no-eol)`. */
  | { readonly kind: 'unmarked'; readonly text: string }
  | { readonly kind: 'extra'; readonly line: string; readonly isUnfinished: boolean }

export function toEdits(
  alignment: readonly Alignment[],
  { expected, actual }: { readonly expected: readonly string[]; readonly actual: Output },
): readonly Edit[] {
  const last = alignment.findLastIndex(({ kind }) => kind !== 'lost')
  return alignment.flatMap((part, at): readonly Edit[] => {
    const isUnfinished = at === last && actual.isUnfinished
    if (part.kind === 'extra') return [{ ...part, isUnfinished }]
    const text = expected[part.index] ?? ''
    const isMarked = part.index === expected.length - 1 && withoutNoEol(text) !== text
    if (part.kind === 'lost' || !isMarked || isUnfinished) return [{ ...part, text }]
    return [
      { kind: 'lost', index: part.index, text },
      { kind: 'unmarked', text: withoutNoEol(text) },
    ]
  })
}

/** Index of the expected line at the first difference, from 0. It may be one more than the last index. */
export function firstDifference(edits: readonly Edit[]): number {
  let next = 0
  for (const edit of edits) {
    if (edit.kind !== 'kept') return edit.kind === 'lost' ? edit.index : next
    next = edit.index + 1
  }
  return next
}
