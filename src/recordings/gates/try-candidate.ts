import { setTimeout as sleep } from 'node:timers/promises'
import { isTelling } from '../../spec/blocks/expectations-of.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import { expectedLinesOf, type OutputSample } from '../derive/expected-lines.ts'
import { typedSecret } from '../browser/read-actions.ts'
import { learnSights, typesPassword, whyNothingShown } from '../browser/learn-sights.ts'
import type { Sight, CommandPiece, MintedValue, Piece } from '../derive/piece.ts'
import { capturedIn, generalizeLine, heldIn } from '../derive/generalize-line.ts'
import { compactDay } from '../derive/volatile-text.ts'
import { readLine } from '../../executor/read-line.ts'
import { quoteRegex } from '../../system/text/quoting.ts'
import { writeCandidate, type CandidateStep, type Expectations, type WrittenCandidate } from './candidate.ts'
import type { RecordingRefusal } from '../../records/recorded-reason.ts'
import { findVacuous, judgedSteps } from './find-vacuous.ts'
import { rehearse, type Rehearsal } from './rehearse.ts'
import { refuse, type Trial } from './trial.ts'

export type TrialResult =
  | { readonly ok: true; readonly written: WrittenCandidate }
  | { readonly ok: false; readonly refusal: RecordingRefusal }

/** Between two executions, in milliseconds: clocks that show seconds then differ. */
const pauseMs = 1100
/** Executions from which the expected output is learned. */
const minSamples = 2
const maxSamples = 3

/**
 * Executes a candidate without the agent until it is known what it can expect, and keeps it only where it holds and can
 * fail. Where it holds with `pipefail`, a program that fails in front of a `|` fails its replay.
 */
export async function tryCandidate(trial: Trial): Promise<TrialResult> {
  const steps = trial.steps.map((step) => ({ ...step, pieces: step.pieces.map(withPipefail) }))
  const hasPipes = steps.some(({ pieces }, index) =>
    pieces.some((piece, at) => piece !== trial.steps[index]?.pieces[at]),
  )
  if (!hasPipes) return trySteps(trial)
  const strict = await trySteps({ ...trial, steps })
  return strict.ok || strict.refusal.code !== 'NOT_REPRODUCED' ? strict : trySteps(trial)
}

function withPipefail(piece: Piece): Piece {
  if (piece.kind !== 'command') return piece
  const read = readLine(piece.command)
  const hasPipe = read.ok && read.commands.some(({ feeds }) => feeds === 'pipe')
  return hasPipe ? { ...piece, command: `set -o pipefail; ${piece.command}` } : piece
}

async function trySteps(trial: Trial): Promise<TrialResult> {
  const mints = mintExpectations(trial.steps)
  const first = writeCandidate(trial.steps, mints)
  const samples: Rehearsal[] = []
  let written: WrittenCandidate
  let scenario: Scenario
  for (;;) {
    if (samples.length > 0) await sleep(pauseMs, undefined, trial)
    const sample = await rehearse({ ...trial, scenario: trial.replay(first) })
    const refused = notReproduced(trial, sample)
    if (refused) return { ok: false, refusal: refused }
    samples.push(sample)
    if (samples.length < minSamples) continue
    const learned = learn(trial, first, samples)
    // A duration may be the same twice by chance: one more execution tells.
    const isLast = samples.length === maxSamples
    if ('code' in learned) {
      if (isLast || learned.code !== 'NOT_REPRODUCED') return { ok: false, refusal: learned }
      continue
    }
    written = writeCandidate(trial.steps, learned)
    scenario = trial.replay(written)
    const refusal = notReproduced(trial, await rehearse({ ...trial, scenario }))
    if (refusal === undefined) break
    if (isLast) return { ok: false, refusal }
  }
  const [vacuous] = await findVacuous(judgedSteps(trial.steps, written), { ...trial, scenario })
  if (vacuous === undefined) return { ok: true, written }
  const [id, why] = vacuous
  const message = `${why} Have the agent quote what the product says.`
  return { ok: false, refusal: refuse(trial, { id, code: 'VACUOUS', message }) }
}

/** At first only what later commands use is expected: it has to be captured. */
function mintExpectations(steps: readonly CandidateStep[]): Expectations {
  const found = new Map<CommandPiece, readonly string[]>()
  for (const piece of steps.flatMap(({ pieces }) => pieces)) {
    if (piece.kind !== 'command' || piece.mints.length === 0) continue
    const captures = new Map(piece.mints.map(({ name, token }) => [name, token]))
    const open = new Map(piece.mints.map(({ name, source }) => [name, source]))
    let count = 0
    const nameFor = (kind: string): string => `any_${kind}${(count += 1)}`
    const lines = piece.output.split('\n').flatMap((line) => {
      const captured = heldIn(line, open, captures)
      if (captured.size === 0) return []
      const template = generalizeLine([{ line, captures }], { moments: [], captured, nameFor, isLoose: true })
      const taken = capturedIn(template, captured.keys())
      for (const name of taken) open.delete(name)
      return template === undefined || taken.length === 0 ? [] : [template, '...']
    })
    found.set(piece, ['...', ...lines])
  }
  return found
}

function notReproduced(trial: Trial, { verdicts, problem }: Rehearsal): RecordingRefusal | undefined {
  const failed = stepsOf(trial.scenario).find(
    ({ id }) => !['pass', 'skipped'].includes(verdicts.get(id)?.outcome ?? ''),
  )
  const skipped = trial.steps.find(({ step }) => verdicts.get(step)?.outcome !== 'pass')
  if (failed === undefined && skipped === undefined) return undefined
  // Its first part is for whoever meets it in a replay.
  const reason = problem?.message.split('\n\n').slice(1).join('\n\n') ?? ''
  return refuse(trial, {
    id: failed?.id ?? skipped?.step ?? '',
    code: 'NOT_REPRODUCED',
    message: `Without the agent its commands do not do the same. Have the step begin where nothing is left of earlier runs, and say each of its commands. ${reason}`,
  })
}

/** What each command is expected to print, from what it printed in the executions. */
function learn(
  trial: Trial,
  { commands, browserLines }: WrittenCandidate,
  samples: readonly Rehearsal[],
): Expectations | RecordingRefusal {
  const moments = [trial.now()]
  const expectations = new Map<CommandPiece | Sight, readonly string[]>()
  // A value that is only shown again, and always the same, is a text like any other.
  const mintsOf = ({ mints }: CommandPiece): readonly MintedValue[] =>
    mints
      .map((mint) => ({ mint, exact: exactly(mint, { samples, moments }) }))
      .flatMap(({ mint, exact }) => (mint.isOnlyShown && exact !== mint ? [] : [exact]))
  const tokens = new Map(
    [...commands.values()].flatMap((piece) => mintsOf(piece).map(({ name, token }) => [name, token] as const)),
  )
  for (const { step, pieces } of trial.steps) {
    // A block captures a name once: numbered over the whole step.
    const taken = new Map<string, number>()
    const nameFor = (kind: string): string => {
      const count = (taken.get(kind) ?? 0) + 1
      taken.set(kind, count)
      return `any_${kind}${count}`
    }
    for (const [line, piece] of commands) {
      if (!pieces.includes(piece)) continue
      const outputs = samples.flatMap((sample) => outputIn(sample, { line, minted: tokens, places: trial.places }))
      const known = `${trial.known}\n${piece.command}`
      const exact = { ...piece, mints: mintsOf(piece) }
      const expected = expectedLinesOf(exact, outputs, { moments, known, nameFor, tokens })
      if (!expected.ok) return refuse(trial, { id: step, code: 'NOT_REPRODUCED', message: expected.why })
      expectations.set(piece, expected.lines)
    }
    if (typesPassword(pieces, { browserLines, samples, known: trial.known })) {
      return refuse(trial, { id: step, code: 'UNCLEAN', message: typedSecret })
    }
    const sights = learnSights(pieces, { browserLines, samples, moments })
    if (!sights.ok) return refuse(trial, { id: step, code: 'NOT_REPRODUCED', message: sights.why })
    for (const [sight, lines] of sights.expected) expectations.set(sight, lines)
    const hasCommand = pieces.some((piece) => piece.kind === 'command' && expectations.get(piece)?.some(isTelling))
    const vacuous = hasCommand
      ? undefined
      : sights.expected.size === 0
        ? 'The agent quoted nothing that a command printed or a page showed, so its replay would expect nothing.'
        : whyNothingShown(pieces, { browserLines, samples }, sights.expected)
    if (vacuous !== undefined) return refuse(trial, { id: step, code: 'VACUOUS', message: vacuous })
  }
  return expectations
}

/** What a command printed, with the values that were minted up to then; others are captured only to be passed over. */
function outputIn(
  { commands, places: own }: Rehearsal,
  {
    line,
    minted,
    places,
  }: Pick<Trial, 'places'> & { readonly line: number; readonly minted: ReadonlyMap<string, string> },
): readonly OutputSample[] {
  const found = commands.get(line)
  if (found === undefined) return []
  const { lines, texts } = found
  const captures = new Map([...found.captures].filter(([name]) => minted.has(name)))
  return [{ lines, texts, captures, places: [...own, ...places] }]
}

/** A value that is the same for the agent and in each execution is none that changes: it has to be that one. */
function exactly(
  mint: MintedValue,
  { samples, moments }: { readonly samples: readonly Rehearsal[]; readonly moments: readonly Date[] },
): MintedValue {
  const { name, token } = mint
  const isFixed = samples.every(({ commands }) => [...commands.values()].at(-1)?.captures.get(name) === token)
  const isOfDay = moments.some((now) => token.replaceAll('-', '').includes(compactDay(now)))
  return isFixed && !isOfDay && !token.startsWith('/') ? { ...mint, source: quoteRegex(token) } : mint
}
