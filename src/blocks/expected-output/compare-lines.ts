import { alignLines, matchLines, type Edit, toEdits } from './align-lines.ts'
import { takeFromDots } from './take-from-dots.ts'
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
    const isDots = (index: number): boolean => patterns[index]?.kind === 'any-lines'
    const edits = toEdits(takeFromDots(alignLines(options), { lines: expected, isDots }), { expected, actual })
    const recalled = findRecalled(edits, parsed).map((name) => ({ name, value: captures.get(name) }))
    return { status: 'differs', edits, recalled }
  }
  // Compare plain text directly: a time limit needs a `vm` context, which takes a millisecond to create.
  if (patterns.every((pattern) => pattern.kind === 'text' && pattern.times === 'once')) return compare()
  return withinTime(limitMs, compare) ?? { status: 'too-slow', index: slowest, limitMs }
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
