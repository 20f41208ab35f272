import { alignLines, type Alignment, matchLines, type Edit, toEdits } from './align-lines.ts'
import { mostAlike } from '../../system/text/plain-text.ts'
import { type Expected, nameUses, parseExpected } from './parse-expected.ts'
import type { Output } from './output-lines.ts'
import { createContext, Script } from 'node:vm'
import { errorCode } from '../../system/error-facts.ts'

export type LineComparison =
  | { readonly status: 'match'; readonly captures: ReadonlyMap<string, string> }
  | { readonly status: 'differs'; readonly edits: readonly Edit[]; readonly recalled: readonly Recalled[] }
  /** The pattern of the expected line at `index` (from 0) takes too long. */
  | { readonly status: 'too-slow'; readonly index: number; readonly limitMs: number }

export interface Recalled {
  readonly name: string
  /** `undefined` if no block has captured the name. */
  readonly value: string | undefined
}

/** @param limitMs limit for all patterns together, in milliseconds */
export function compareLines(
  expected: readonly string[],
  actual: Output,
  { captures, limitMs = 5000 }: { readonly captures: ReadonlyMap<string, string>; readonly limitMs?: number },
): LineComparison {
  const parsed = parseExpected(expected)
  const { patterns, isUnfinished } = parsed
  let slowest = 0
  const options = { patterns, lines: actual.lines, captures, onPattern: (index: number) => void (slowest = index) }
  const compare = (): LineComparison => {
    const found = isUnfinished && !actual.isUnfinished ? undefined : matchLines(options)
    if (found !== undefined) return { status: 'match', captures: found }
    const edits = toEdits(takeFromDots(alignLines(options), parsed, expected), { expected, actual })
    const recalled = findRecalled(edits, parsed).map((name) => ({ name, value: captures.get(name) }))
    return { status: 'differs', edits, recalled }
  }
  // Compare plain text directly: a time limit needs a `vm` context, which takes a millisecond to create.
  if (patterns.every((pattern) => pattern.kind === 'text' && pattern.times === 'once')) return compare()
  return withinTime(limitMs, compare) ?? { status: 'too-slow', index: slowest, limitMs }
}

/** Output that `...` matched beside lost lines becomes extra lines, so that the diff shows both together. */
function takeFromDots(
  alignment: readonly Alignment[],
  { patterns }: Expected,
  expected: readonly string[],
): readonly Alignment[] {
  const parts = [...alignment]
  const dotsIn = (part: Alignment | undefined) =>
    part?.kind === 'kept' && patterns[part.index]?.kind === 'any-lines' ? part : undefined
  for (let end = parts.length; end > 0; end -= 1) {
    let start = end
    while (parts[start - 1]?.kind === 'lost') start -= 1
    const [previous, lost, next] = [parts[start - 1], parts[start], parts[end]]
    if (lost?.kind === 'lost' && previous?.kind !== 'extra' && next?.kind !== 'extra') {
      const [before, after] = [dotsIn(previous), dotsIn(next)]
      const lines = [...(before?.lines ?? []), ...(after?.lines ?? [])]
      // With `...` on one side only, take the lines that are nearest to the lost lines.
      const nearest = before === undefined ? 0 : Math.max(0, lines.length - (end - start))
      const first = before && after ? mostAlike(expected[lost.index] ?? '', lines) : nearest
      const claimed = lines.slice(first, first + end - start)
      if (before) parts[start - 1] = { ...before, lines: lines.slice(0, first) }
      if (after) parts[end] = { ...after, lines: lines.slice(first + claimed.length) }
      parts.splice(end, 0, ...claimed.map((line): Alignment => ({ kind: 'extra', line })))
    }
    end = start
  }
  return parts
}

function findRecalled(edits: readonly Edit[], parsed: Expected): readonly string[] {
  const lost = new Set(edits.flatMap((edit) => (edit.kind === 'lost' ? [edit.index] : [])))
  const known = new Set<string>()
  const recalled = new Set<string>()
  for (const { kind, name, line } of nameUses(parsed)) {
    if (kind === 'capture') known.add(name)
    // A name that these lines capture is not listed, because the difference shows its value.
    else if (lost.has(line) && !known.has(name)) recalled.add(name)
  }
  return [...recalled]
}

/** Only `node:vm` can interrupt a regular expression that never ends. */
const script = new Script('work()')

function withinTime<T>(limitMs: number, work: () => T): T | undefined {
  try {
    return script.runInContext(createContext({ work }), { timeout: limitMs }) as T // the result of `work`
  } catch (error: unknown) {
    // The error belongs to another context, so `instanceof Error` is false.
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
