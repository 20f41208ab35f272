import { compareLines } from '../../blocks/expected-output/compare-lines.ts'
import { readOutput } from '../../blocks/expected-output/output-lines.ts'
import { countsAsCheck } from '../../blocks/expected-output/counts-as-check.ts'
import { collapseSpace } from '../../system/text/plain-text.ts'
import { capturedIn, generalizeLine, heldIn, type Generalization, type LineSample } from './generalize-line.ts'
import type { CommandPiece } from './piece.ts'

export interface OutputSample {
  readonly lines: readonly string[]
  readonly texts?: readonly string[]
  readonly places?: readonly string[]
  readonly captures: ReadonlyMap<string, string>
}

interface ExpectationOptions extends Pick<Generalization, 'moments' | 'known' | 'nameFor'> {
  readonly tokens?: ReadonlyMap<string, string>
}

export type ExpectedOutputOf =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly why: string }

const anything = '...'

/** Up to this number of lines, a replay has to print all lines of a quoted output, not only the quoted lines. */
const maxWholeLines = 1_000

/** Expected output of a command. Lines that differ become patterns. Lines without a quote may become `...`. */
export function expectedLinesOf(
  piece: CommandPiece,
  samples: readonly OutputSample[],
  { tokens = new Map(), ...options }: ExpectationOptions,
): ExpectedOutputOf {
  const [first, ...others] = samples
  if (first === undefined) return { ok: false, why: 'It was never executed.' }
  if (piece.quotes.length === 0 && piece.mints.length === 0) {
    const isSilent = samples.every(({ lines }) => lines.length === 0)
    return { ok: true, lines: isSilent ? [] : [anything] }
  }
  const isStable = samples.every((sample) => sample.lines.length === first.lines.length)
  const kept = keptLines(piece, { first, others }, { ...options, isStable })
  const expected = isStable ? withDots(kept) : withDots(kept.flatMap((line) => [undefined, line, undefined]))
  const why = whyNotQuoted(piece, { samples, tokens }, expected)
  return why === undefined ? { ok: true, lines: expected } : { ok: false, why }
}

/** Expected lines, or `undefined` for any line. If outputs differ in length, only quoted and captured lines stay. */
function keptLines(
  piece: CommandPiece,
  { first, others }: { readonly first: OutputSample; readonly others: readonly OutputSample[] },
  { isStable, ...options }: ExpectationOptions & { readonly isStable: boolean },
): readonly (string | undefined)[] {
  const { lines, texts = lines, captures, places = [] } = first
  const open = new Map(piece.mints.map(({ name, source }) => [name, source]))
  const isQuoted = isQuotedIn(piece, texts)
  const isWhole = isStable && piece.quotes.length > 0 && lines.length <= maxWholeLines
  return lines.map((line, index) => {
    const captured = heldIn(line, open, captures)
    if (captured.size === 0 && !isQuoted(index) && !isWhole) return undefined
    const generalize = (rest: readonly LineSample[]): string | undefined =>
      generalizeLine([{ line, captures, places }, ...rest], { ...options, captured })
    const found = isStable
      ? generalize(others.map((sample) => ({ ...sample, line: sample.lines[index] ?? '' })))
      : generalize(others.flatMap((sample) => likeIn(sample, generalize) ?? unlike))
    const taken = capturedIn(found, captured.keys())
    for (const name of taken) open.delete(name)
    return taken.length > 0 || isQuoted(index) || isWhole ? found : undefined
  })
}

function likeIn(
  { lines, ...sample }: OutputSample,
  generalize: (rest: readonly LineSample[]) => string | undefined,
): LineSample | undefined {
  const line = lines.find((one) => generalize([{ ...sample, line: one }]) !== undefined)
  return line === undefined ? undefined : { ...sample, line }
}

const unlike: LineSample = { line: '', captures: new Map() }

function isQuotedIn({ quotes, output }: CommandPiece, lines: readonly string[]): (index: number) => boolean {
  const told = output.replace(/\n$/, '').split('\n')
  const like = told.length === lines.length ? told : []
  const parts = quotes.flatMap((quote) => quote.trim().split('\n'))
  return (index) => parts.some((part) => holds(lines[index], part) || holds(like[index], part))
}

function holds(line: string | undefined, part: string): boolean {
  const wanted = collapseSpace(part)
  return line !== undefined && wanted !== '' && collapseSpace(line).includes(wanted)
}

function withDots(lines: readonly (string | undefined)[]): readonly string[] {
  const out: string[] = []
  for (const line of lines) if (line !== undefined || out.at(-1) !== anything) out.push(line ?? anything)
  return out
}

/** Why the expected lines do not check a quote of the agent; `undefined` if they check all quotes. */
function whyNotQuoted(
  { command, output, quotes }: CommandPiece,
  { samples, tokens }: { readonly samples: readonly OutputSample[]; readonly tokens: ReadonlyMap<string, string> },
  lines: readonly string[],
): string | undefined {
  const what = `\`${command.split('\n', 1)[0] ?? ''}\``
  if (!lines.some(countsAsCheck))
    return `What the agent quoted of ${what} did not come again, or is something else each time. Have it quote what stays the same.`
  const told = output.replace(/\n$/, '').split('\n')
  const printed = collapseSpace(samples.map(({ lines: written, texts = written }) => texts.join('\n')).join('\n'))
  const isExpected = (part: string): boolean =>
    collapseSpace(part) === '' ||
    told.some((line) => holds(line, part) && lines.some((one) => isMatch(one, line, tokens)))
  const lost = quotes.find(
    (quote) => !printed.includes(collapseSpace(quote)) && !quote.trim().split('\n').every(isExpected),
  )
  return lost && `${what} did not print "${lost}" again. Have the agent quote what stays the same.`
}

export function isMatch(expected: string, line: string, captures: ReadonlyMap<string, string> = new Map()): boolean {
  return expected !== anything && compareLines([expected], readOutput(`${line}\n`), { captures }).status === 'match'
}
