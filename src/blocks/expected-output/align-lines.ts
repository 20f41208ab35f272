import { capturedValues } from './line-matchers.ts'
import type { LinePattern } from './parse-line.ts'
import { type Found, type Node, type Sides, search } from './search-alignment.ts'

/** What became of one expected line or one line of output. */
export type Alignment =
  /** The expected line stands for these lines of output. */
  | { readonly kind: 'kept'; readonly index: number; readonly lines: readonly string[] }
  /** The expected line is not in the output. */
  | { readonly kind: 'lost'; readonly index: number }
  /** The line of output is not expected. */
  | { readonly kind: 'extra'; readonly line: string }

/** What the output captures where every line is as expected; else undefined. Takes lines × patterns steps at most. */
export function matchLines(sides: Sides): ReadonlyMap<string, string> | undefined {
  const found = search(sides, { maxCost: 0 })
  return found.isWhole ? capturedValues(found.node.bindings) : undefined
}

/** Pairs expected lines with lines of output so that as few as possible are lost or extra. */
export function alignLines({ patterns, lines, captures, onPattern }: Sides): readonly Alignment[] {
  const prefix = countEqual(patterns, lines)
  const suffix = countEqual(patterns.slice(prefix).reverse(), lines.slice(prefix).reverse())
  const middle = {
    patterns: patterns.slice(prefix, patterns.length - suffix),
    lines: lines.slice(prefix, lines.length - suffix),
  }
  const found = search(
    { ...middle, captures, onPattern: (index) => onPattern?.(index + prefix) },
    { maxCost: Infinity },
  )
  const kept = (line: string, index: number): Alignment => ({ kind: 'kept', index, lines: [line] })
  return [
    ...lines.slice(0, prefix).map((line, at) => kept(line, at)),
    ...readPath(found, middle).map((part) => (part.kind === 'extra' ? part : { ...part, index: part.index + prefix })),
    ...lines.slice(lines.length - suffix).map((line, at) => kept(line, patterns.length - suffix + at)),
  ]
}

/** How many lines are literally the same from the beginning on. */
function countEqual(patterns: readonly LinePattern[], lines: readonly string[]): number {
  const index = patterns.findIndex(
    (pattern, at) => !(pattern.kind === 'text' && pattern.times === 'once' && pattern.text === lines[at]),
  )
  return index === -1 ? patterns.length : index
}

/** What happened on the way to a place; all that comes after it is lost and extra. */
function readPath(
  { node: end, matchers }: Found,
  { patterns, lines }: Pick<Sides, 'patterns' | 'lines'>,
): readonly Alignment[] {
  const nodes: Node[] = []
  for (let node = end; node.before !== undefined; node = node.before) nodes.push(node)
  const path: Alignment[] = []
  /** Of the last expected line on the way, and the lines of a repetition that may go on. */
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
