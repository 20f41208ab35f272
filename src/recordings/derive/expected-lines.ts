import { compareLines } from '../../blocks/expected-output/compare-lines.ts'
import { readOutput } from '../../blocks/expected-output/output-lines.ts'
import { collapseSpace } from '../collapse-space.ts'
import { generalizeLine, type Generalization, type LineSample } from './generalize-line.ts'
import type { CommandPiece } from './piece.ts'

/** What a command printed in one execution without the agent. */
export interface OutputSample {
  /** Written as expected output. */
  readonly lines: readonly string[]
  /** The same lines as an agent sees them. Default: as written. */
  readonly texts?: readonly string[]
  /** Absolute paths of folders that only this execution had. */
  readonly places?: readonly string[]
  /** What the execution had captured when the command was over, by name. */
  readonly captures: ReadonlyMap<string, string>
}

interface ExpectationOptions extends Pick<Generalization, 'moments' | 'known' | 'nameFor'> {
  /** What minted values were for the agent, by name. */
  readonly tokens?: ReadonlyMap<string, string>
}

export type ExpectedOutputOf =
  | { readonly ok: true; readonly lines: readonly string[]; readonly quoted: readonly string[] }
  /** A sentence, for the user. */
  | { readonly ok: false; readonly why: string }

/** Longer outputs keep only the lines that the agent quoted. */
const maxWholeLines = 12

const anything = '...'

/**
 * What a recording expects of a command: what the agent quoted, and what is around it where that is short and always the
 * same. What differs from one execution to the next becomes a pattern where that is safe.
 *
 * @param samples at least two
 */
export function expectedLinesOf(
  piece: CommandPiece,
  samples: readonly OutputSample[],
  { tokens = new Map(), ...options }: ExpectationOptions,
): ExpectedOutputOf {
  const [first] = samples
  if (first === undefined) return { ok: false, why: 'It was never executed.' }
  const wanted = piece.mints.map(({ token }) => token)
  if (piece.quotes.length === 0 && wanted.length === 0) {
    const isSilent = samples.every(({ lines }) => lines.length === 0)
    const any = isSilent ? [] : [anything]
    return { ok: true, lines: any, quoted: any }
  }
  const isStable = samples.every((sample) => sample.lines.length === first.lines.length)
  const lines = generalizeAll(piece, samples, { ...options, isStable })
  const indexes = quotedIndexes(piece, first.texts ?? first.lines)
  const kept = lines.map((line, index) => (indexes.has(index) ? line : undefined))
  const quoted = isStable ? withDots(kept) : withDots(kept.flatMap((line) => [undefined, line, undefined]))
  const isWhole = isStable && lines.length <= maxWholeLines && lines.every((line) => line !== undefined)
  const expected = isWhole ? lines.filter((line) => line !== undefined) : quoted
  const why = whyNotQuoted(piece, { samples, tokens }, expected)
  return why === undefined ? { ok: true, lines: expected, quoted } : { ok: false, why }
}

/** The line that stands for each line of the first sample; `undefined` where none does. */
function generalizeAll(
  { mints }: CommandPiece,
  samples: readonly OutputSample[],
  { isStable, ...options }: ExpectationOptions & { readonly isStable: boolean },
): readonly (string | undefined)[] {
  const [first, ...others] = samples
  const open = new Map(mints.map(({ name, source }) => [name, source]))
  return (first?.lines ?? []).map((line, index) => {
    const captures = first?.captures ?? new Map<string, string>()
    const places = first?.places ?? []
    const captured = new Map([...open].filter(([name]) => holdsWord(line, captures.get(name))))
    const generalize = (rest: readonly LineSample[]): string | undefined =>
      generalizeLine([{ line, captures, places }, ...rest], { ...options, captured })
    const found = isStable
      ? generalize(others.map((sample) => ({ ...sample, line: sample.lines[index] ?? '' })))
      : generalize(others.flatMap((sample) => likeIn(sample, generalize) ?? unlike))
    // A name is captured once; further lines recall it.
    if (found !== undefined) for (const name of captured.keys()) open.delete(name)
    return found
  })
}

/** The first line of an execution that a pattern can stand for together with another line. */
function likeIn(
  { lines, ...sample }: OutputSample,
  generalize: (rest: readonly LineSample[]) => string | undefined,
): LineSample | undefined {
  const line = lines.find((one) => generalize([{ ...sample, line: one }]) !== undefined)
  return line === undefined ? undefined : { ...sample, line }
}

/** A line that none is like: it is missing. */
const unlike: LineSample = { line: '', captures: new Map() }

function holdsWord(line: string, value: string | undefined): boolean {
  return value !== undefined && value !== '' && line.includes(value)
}

/** Indexes of the lines that hold what was quoted or what later commands use. */
function quotedIndexes({ quotes, mints, output }: CommandPiece, lines: readonly string[]): ReadonlySet<number> {
  const told = output.replace(/\n$/, '').split('\n')
  const words = [...quotes.flatMap((quote) => quote.split('\n')), ...mints.map(({ token }) => token)]
  return new Set(words.flatMap((word) => bestLine(word, lines) ?? sameLine(word, told, lines) ?? []))
}

/** The line that is the quote, else the shortest that holds it. */
function bestLine(quote: string, lines: readonly string[]): number | undefined {
  const wanted = collapseSpace(quote)
  if (wanted === '') return undefined
  const holding = lines.flatMap((line, index) => (collapseSpace(line).includes(wanted) ? [index] : []))
  return holding.toSorted((a, b) => (lines[a]?.length ?? 0) - (lines[b]?.length ?? 0))[0]
}

/** The line at the place where the agent saw it, in an output of as many lines. */
function sameLine(quote: string, told: readonly string[], lines: readonly string[]): number | undefined {
  return told.length === lines.length ? bestLine(quote, told) : undefined
}

function withDots(lines: readonly (string | undefined)[]): readonly string[] {
  const out: string[] = []
  for (const line of lines) if (line !== undefined || out.at(-1) !== anything) out.push(line ?? anything)
  return out
}

/** What the agent gave as evidence has to be what is expected: each line that it quoted matches an expected one. */
function whyNotQuoted(
  { command, output, quotes }: CommandPiece,
  { samples, tokens }: { readonly samples: readonly OutputSample[]; readonly tokens: ReadonlyMap<string, string> },
  lines: readonly string[],
): string | undefined {
  const what = `\`${command.split('\n', 1)[0] ?? ''}\``
  if (!lines.some((line) => line !== anything)) {
    return `What the agent quoted of ${what} did not come again, or is something else each time. Have it quote what stays the same.`
  }
  const told = output.replace(/\n$/, '').split('\n')
  const printed = collapseSpace(samples.map(({ lines: written, texts = written }) => texts.join('\n')).join('\n'))
  const lost = quotes.find((quote) => {
    if (printed.includes(collapseSpace(quote))) return false
    const own = told.filter((line) => isOf(quote, line))
    return own.length === 0 || !own.every((line) => lines.some((expected) => matches(expected, line, tokens)))
  })
  return lost === undefined
    ? undefined
    : `${what} did not print "${lost}" again. Have the agent quote what stays the same.`
}

function isOf(quote: string, line: string): boolean {
  const text = collapseSpace(line)
  return (
    text !== '' && quote.split('\n').some((part) => text.includes(collapseSpace(part)) && collapseSpace(part) !== '')
  )
}

function matches(expected: string, line: string, captures: ReadonlyMap<string, string>): boolean {
  return expected !== anything && compareLines([expected], readOutput(`${line}\n`), { captures }).status === 'match'
}
