import { createMatchers, type Bindings, type Matcher } from './match-line.ts'
import type { LinePattern } from './parse-expected.ts'

/** A search reaches this limit after about half a second. The rest is then shown as one difference. */
const maxPlaces = 300_000

export interface Sides {
  readonly patterns: readonly LinePattern[]
  readonly lines: readonly string[]
  readonly captures: ReadonlyMap<string, string>
  /** Called before an expected line is compared. A message can then name a line that takes too long. */
  onPattern?(index: number): void
}

/** A state of the search: the next matcher (`at`), the next output line, and the step from the state before. */
export interface Node {
  readonly at: number
  readonly line: number
  readonly bindings: Bindings
  readonly step: 'take' | 'pass' | 'lose' | 'add'
  readonly before: Node | undefined
}

export interface Found {
  readonly node: Node
  readonly isWhole: boolean
  readonly matchers: readonly Matcher[]
}

/** Finds an alignment with few lost and extra lines. Skips a place visited before with the same captured values. */
export function search(sides: Sides, maxCost: number): Found {
  const { patterns, lines, captures, onPattern } = sides
  const { matchers, start } = createMatchers(patterns, captures)
  const visited = createVisited(lines.length + 1)
  let furthest: Node = { at: 0, line: 0, bindings: start, step: 'pass', before: undefined }
  let frontier = [furthest]
  for (let cost = 0; frontier.length > 0 && cost <= maxCost; cost += 1) {
    // A stack visits the furthest nodes first, so among equally good alternatives the latest difference wins.
    const stack = frontier
    frontier = []
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (!visited.add(node)) continue
      if (node.at + node.line > furthest.at + furthest.line) furthest = node
      const [matcher, text] = [matchers[node.at], lines[node.line]]
      if (matcher === undefined && text === undefined) return { node, isWhole: true, matchers }
      if (matcher !== undefined) onPattern?.(matcher.index)
      pushFreeSteps(stack, node, { matcher, text })
      if (cost < maxCost) pushCostlySteps(frontier, node, { matcher, text })
      if (cost > 0 && visited.count() > maxPlaces) return { node: furthest, isWhole: false, matchers }
    }
  }
  return { node: furthest, isWhole: false, matchers }
}

/** The matcher and the line of output that come after a node; `undefined` at the end. */
interface Next {
  readonly matcher: Matcher | undefined
  readonly text: string | undefined
}

/** Pushes the preferred step last, so that it is tried first. `...` prefers few lines, other patterns prefer many. */
function pushFreeSteps(stack: Node[], node: Node, { matcher, text }: Next): void {
  if (matcher === undefined) return
  const { at, line, bindings } = node
  const pass: readonly Node[] = matcher.isOptional ? [{ at: at + 1, line, bindings, step: 'pass', before: node }] : []
  if (!matcher.isLazy) stack.push(...pass)
  const taken = text === undefined ? undefined : matcher.match(text, bindings)
  if (taken !== undefined) {
    stack.push({ at: matcher.canRepeat ? at : at + 1, line: line + 1, bindings: taken, step: 'take', before: node })
  }
  if (matcher.isLazy) stack.push(...pass)
}

function pushCostlySteps(frontier: Node[], node: Node, { matcher, text }: Next): void {
  const { at, line, bindings } = node
  if (text !== undefined) frontier.push({ at, line: line + 1, bindings, step: 'add', before: node })
  if (matcher?.isOptional === false) frontier.push({ at: at + 1, line, bindings, step: 'lose', before: node })
}

/** The visited places, stored as bits. `add` returns false if a place was visited before. */
function createVisited(lineCount: number) {
  const words = new Map<string, Map<number, number>>()
  let count = 0
  return {
    add({ at, line, bindings: { key } }: Node): boolean {
      const place = at * lineCount + line
      const [word, bit] = [Math.floor(place / 32), 1 << (place % 32)]
      const known = words.get(key) ?? new Map<number, number>()
      words.set(key, known)
      const bits = known.get(word) ?? 0
      if ((bits & bit) !== 0) return false
      known.set(word, bits | bit)
      count += 1
      return true
    },
    count: (): number => count,
  }
}
