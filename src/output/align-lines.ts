import { createMatchers, type Bindings, type Matcher } from './line-matchers.ts'
import type { LinePattern } from './parse-line.ts'
import { createVisited } from './visited.ts'

/** What became of one expected line or one line of output. */
export type Alignment =
  /** The expected line stands for these lines of output. */
  | { readonly kind: 'kept'; readonly index: number; readonly lines: readonly string[] }
  /** The expected line is not in the output. */
  | { readonly kind: 'lost'; readonly index: number }
  /** The line of output is not expected. */
  | { readonly kind: 'extra'; readonly line: string }

export interface AlignOptions {
  readonly patterns: readonly LinePattern[]
  readonly lines: readonly string[]
  /** What was captured before. */
  readonly captures: ReadonlyMap<string, string>
  /** Told of each expected line before it is looked at, so that a slow one can be named. */
  onPattern?(index: number): void
}

/** Above this many places (about half a second) the rest of a difference is shown as a whole. */
const maxPlaces = 300_000

/** What the output captures where every line is as expected; else undefined. Takes lines × patterns steps at most. */
export function matchLines(options: AlignOptions): ReadonlyMap<string, string> | undefined {
  const found = search(options, { maxCost: 0 })
  return found.isWhole ? found.node.bindings.values : undefined
}

/** Pairs expected lines with lines of output so that as few as possible are lost or extra. */
export function alignLines({ patterns, lines, ...rest }: AlignOptions): readonly Alignment[] {
  const prefix = countEqual(patterns, lines)
  const suffix = countEqual(patterns.slice(prefix).reverse(), lines.slice(prefix).reverse())
  const middle = {
    patterns: patterns.slice(prefix, patterns.length - suffix),
    lines: lines.slice(prefix, lines.length - suffix),
  }
  const found = search({ ...rest, ...middle }, { maxCost: Infinity })
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

/** A place between two matchers and two lines, and the step that led to it. */
interface Node {
  readonly at: number
  readonly line: number
  readonly bindings: Bindings
  readonly step: 'take' | 'pass' | 'lose' | 'add'
  readonly before: Node | undefined
}

interface Found {
  readonly node: Node
  /** Whether it is the end of both sides; else it is as far as the search came. */
  readonly isWhole: boolean
  readonly matchers: readonly Matcher[]
}

/**
 * Goes through all places that are reached without a lost or extra line, then through those with one more, and so on.
 * No place is visited twice with the same values for the names that matter.
 */
function search(options: AlignOptions, { maxCost }: { readonly maxCost: number }): Found {
  const { patterns, lines, captures, onPattern } = options
  const { matchers, start } = createMatchers(patterns, captures)
  const visited = createVisited(lines.length + 1)
  let furthest: Node = { at: 0, line: 0, bindings: start, step: 'pass', before: undefined }
  let frontier = [furthest]
  for (let cost = 0; frontier.length > 0 && cost <= maxCost; cost += 1) {
    // The places that were reached last come first: where it makes no other difference, the first one is late.
    const stack = frontier
    frontier = []
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (!visited.add(node)) continue
      if (node.at + node.line > furthest.at + furthest.line) furthest = node
      const [matcher, text] = [matchers[node.at], lines[node.line]]
      if (matcher === undefined && text === undefined) return { node, isWhole: true, matchers }
      if (matcher !== undefined) {
        onPattern?.(matcher.index)
        pushFreeSteps(stack, node, { matcher, text })
      }
      if (cost < maxCost) pushCostlySteps(frontier, node, { matcher, text })
      if (cost > 0 && visited.count() > maxPlaces) return { node: furthest, isWhole: false, matchers }
    }
  }
  return { node: furthest, isWhole: false, matchers }
}

/** The preferred step last: `...` takes as few lines as possible, all else as many. */
function pushFreeSteps(
  stack: Node[],
  node: Node,
  { matcher, text }: { readonly matcher: Matcher; readonly text: string | undefined },
): void {
  const { at, line, bindings } = node
  const pass: Node | undefined = matcher.isOptional
    ? { at: at + 1, line, bindings, step: 'pass', before: node }
    : undefined
  if (pass !== undefined && !matcher.isLazy) stack.push(pass)
  const taken = text === undefined ? undefined : matcher.match(text, bindings)
  if (taken !== undefined) {
    stack.push({ at: matcher.canRepeat ? at : at + 1, line: line + 1, bindings: taken, step: 'take', before: node })
  }
  if (pass !== undefined && matcher.isLazy) stack.push(pass)
}

function pushCostlySteps(
  frontier: Node[],
  node: Node,
  { matcher, text }: { readonly matcher: Matcher | undefined; readonly text: string | undefined },
): void {
  const { at, line, bindings } = node
  if (text !== undefined) frontier.push({ at, line: line + 1, bindings, step: 'add', before: node })
  if (matcher?.isOptional === false) frontier.push({ at: at + 1, line, bindings, step: 'lose', before: node })
}

/** What happened on the way to a place; all that comes after it is lost and extra. */
function readPath(
  { node: end, matchers }: Found,
  { patterns, lines }: Pick<AlignOptions, 'patterns' | 'lines'>,
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
