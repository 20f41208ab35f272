import { alignLines, matchLines, type Edit, toEdits } from './align-lines.ts'
import { claimLines } from './claim-lines.ts'
import { type Expected, namesIn, parseExpected } from './parse-expected.ts'
import type { Output } from './output-lines.ts'
import { createContext, Script } from 'node:vm'
import { errorCode } from '../../system/error-facts.ts'

export type LineComparison =
  | { readonly status: 'match'; readonly captures: ReadonlyMap<string, string> }
  | {
      readonly status: 'differs'
      readonly edits: readonly Edit[]
      readonly recalled: readonly Recalled[]
    }
  /** The pattern of the expected line at `index` (from 0) takes too long. */
  | { readonly status: 'too-slow'; readonly index: number; readonly limitMs: number }

export interface Recalled {
  readonly name: string
  /** Undefined where no block has captured the name. */
  readonly value: string | undefined
}

export interface CompareOptions {
  readonly captures: ReadonlyMap<string, string>
  /** Limit for patterns, in milliseconds. @default 5000 */
  readonly limitMs?: number
}

export function compareLines(
  expected: readonly string[],
  actual: Output,
  { captures, limitMs = 5000 }: CompareOptions,
): LineComparison {
  const parsed = parseExpected(expected)
  let slowest = 0
  const onPattern = (index: number): void => {
    slowest = index
  }
  const compare = (): LineComparison => compareParsed(expected, { parsed, actual, captures, onPattern })
  // Plain text needs no time limit, and the context for one takes a millisecond.
  if (parsed.patterns.every((pattern) => pattern.kind === 'text' && pattern.times === 'once')) return compare()
  return withinTime(limitMs, compare) ?? { status: 'too-slow', index: slowest, limitMs }
}

interface ParsedComparison extends Pick<CompareOptions, 'captures'> {
  readonly parsed: Expected
  readonly actual: Output
  onPattern(index: number): void
}

function compareParsed(
  expected: readonly string[],
  { parsed, actual, captures, onPattern }: ParsedComparison,
): LineComparison {
  const { patterns } = parsed
  const options = { patterns, lines: actual.lines, captures, onPattern }
  const isEndRight = !parsed.isUnfinished || actual.isUnfinished
  const found = isEndRight ? matchLines(options) : undefined
  if (found !== undefined) return { status: 'match', captures: found }
  const isDots = (index: number): boolean => patterns[index]?.kind === 'any-lines'
  const alignment = claimLines(alignLines(options), { lines: expected, isDots })
  const edits = toEdits(alignment, { expected, actual })
  return { status: 'differs', edits, recalled: findRecalled(edits, { parsed, captures }) }
}

function findRecalled(
  edits: readonly Edit[],
  { parsed, captures }: Pick<ParsedComparison, 'parsed' | 'captures'>,
): readonly Recalled[] {
  const lost = new Set(edits.flatMap((edit) => (edit.kind === 'lost' ? [edit.index] : [])))
  const known = new Set<string>()
  const recalled = new Set<string>()
  for (const { kind, name, line } of namesIn(parsed)) {
    if (kind === 'capture') known.add(name)
    // Captures of the same lines show in the difference.
    else if (lost.has(line) && !known.has(name)) recalled.add(name)
  }
  return [...recalled].map((name) => ({ name, value: captures.get(name) }))
}

/** `node:vm` alone can interrupt a regular expression that never ends. */
const script = new Script('work()')

function withinTime<T>(limitMs: number, work: () => T): T | undefined {
  try {
    return script.runInContext(createContext({ work }), { timeout: limitMs }) as T // what `work` gives
  } catch (error: unknown) {
    // The error belongs to another context, so `instanceof Error` is false.
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
