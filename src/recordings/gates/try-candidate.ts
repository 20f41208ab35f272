import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { countsAsCheck } from '../../blocks/expected-output/counts-as-check.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import { expectedLinesOf, type OutputSample } from '../derive/expected-lines.ts'
import { typedSecret } from '../browser/read-actions.ts'
import { learnSights, typesPassword, whyNothingShown } from '../browser/learn-sights.ts'
import type { Sight, CommandPiece, MintedValue, Piece } from '../derive/piece.ts'
import { capturedIn, generalizeLine, heldIn } from '../derive/generalize-line.ts'
import { isOfNow, personalValues, sourceOfWord } from '../derive/volatile-text.ts'
import { readLine } from '../../permissions/read-command-line.ts'
import { isInside } from '../../system/files/paths.ts'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'
import { writeCandidate, type CandidateStep, type Expectations, type WrittenCandidate } from './write-candidate.ts'
import type { RecordingRefusal } from '../../records/recorded-reason.ts'
import { refuseAt } from './refuse-to-record.ts'
import { comesAnyway, findVacuous, judgedSteps, type VacuityInput } from './find-vacuous.ts'
import { rehearse, type Rehearsal } from './rehearse.ts'

export interface Trial extends VacuityInput {
  readonly steps: readonly CandidateStep[]
  replay(written: WrittenCandidate): Scenario
  readonly now: () => Date
  readonly known: string
}

export type TrialResult = WrittenCandidate | RecordingRefusal

/** Pause between two executions. After it, times in seconds differ. */
const pauseMs = 1100
const minSamples = 2
const maxSamples = 3

/** With `pipefail`, a replay notices a failure before a `|`. If the candidate fails with `pipefail`, tries without. */
export async function tryCandidate(trial: Trial): Promise<TrialResult> {
  const steps = trial.steps.map((step) => ({ ...step, pieces: step.pieces.map(withPipefail) }))
  const hasPipes = steps.some(({ pieces }, index) => pieces.some((one, at) => one !== trial.steps[index]?.pieces[at]))
  if (!hasPipes) return trySteps(trial)
  const strict = await trySteps({ ...trial, steps })
  return 'code' in strict && strict.code === 'NOT_REPRODUCED' ? trySteps(trial) : strict
}

function withPipefail(piece: Piece): Piece {
  if (piece.kind !== 'command') return piece
  const read = readLine(piece.command, { directories: [] })
  const hasPipe = read.ok && read.commands.some(({ feeds }) => feeds === 'pipe')
  return hasPipe ? { ...piece, command: `set -o pipefail; ${piece.command}` } : piece
}

async function trySteps(trial: Trial): Promise<TrialResult> {
  const first = writeCandidate(trial.steps, mintExpectations(trial.steps))
  const samples: Rehearsal[] = []
  for (;;) {
    if (samples.length > 0) await sleep(pauseMs, undefined, trial)
    const sample = await rehearse({ ...trial, scenario: trial.replay(first) })
    const refused = notReproduced(trial, sample)
    if (refused) return refused
    samples.push(sample)
    if (samples.length < minSamples) continue
    const found = await learnAndHold(trial, first, samples)
    if (!('code' in found)) return (await refusalIfVacuous(trial, found)) ?? found
    // Two executions may have the same duration by chance. A third one decides.
    if (samples.length === maxSamples || found.code !== 'NOT_REPRODUCED') return found
  }
}

async function learnAndHold(
  trial: Trial,
  first: WrittenCandidate,
  samples: readonly Rehearsal[],
): Promise<TrialResult> {
  const learned = learn(trial, first, samples)
  if ('code' in learned) return learned
  const written = writeCandidate(trial.steps, learned)
  return notReproduced(trial, await rehearse({ ...trial, scenario: trial.replay(written) })) ?? written
}

async function refusalIfVacuous(trial: Trial, written: WrittenCandidate): Promise<RecordingRefusal | undefined> {
  const judged = judgedSteps(trial.steps, written)
  const [id] = await findVacuous(judged, { ...trial, scenario: trial.replay(written) })
  if (id === undefined) return undefined
  const message = `${comesAnyway} Have the agent quote what the product says.`
  return refuseAt(trial.scenario, { id, code: 'VACUOUS', message })
}

/** Expectations for the first execution: only lines with a value to capture. */
function mintExpectations(steps: readonly CandidateStep[]): Expectations {
  const found = new Map<CommandPiece, readonly string[]>()
  for (const piece of steps.flatMap(({ pieces }) => pieces)) {
    if (piece.kind !== 'command' || piece.mints.length === 0) continue
    const captures = new Map(piece.mints.map(({ name, token }) => [name, token]))
    const open = new Map(piece.mints.map(({ name, source }) => [name, source]))
    const nameFor = namesOfStep()
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

/** Numbers the names of captures over a whole step, because a block cannot use a name twice. */
function namesOfStep(): (kind: string) => string {
  const taken = new Map<string, number>()
  return (kind) => {
    const count = (taken.get(kind) ?? 0) + 1
    taken.set(kind, count)
    return `any_${kind}${count}`
  }
}

function notReproduced({ scenario, steps }: Trial, { verdicts, problem }: Rehearsal): RecordingRefusal | undefined {
  const failed = stepsOf(scenario).find(({ id }) => !['pass', 'skipped'].includes(verdicts.get(id)?.outcome ?? ''))
  const skipped = steps.find(({ step }) => verdicts.get(step)?.outcome !== 'pass')
  if (failed === undefined && skipped === undefined) return undefined
  // Drop the first paragraph, which is for readers of a failed replay.
  const reason = problem?.split('\n\n').slice(1).join('\n\n') ?? ''
  const message = `Without the agent its commands do not do the same. Have the step begin without anything from earlier runs, and name each of its commands. ${reason}`
  return refuseAt(scenario, { id: failed?.id ?? skipped?.step, code: 'NOT_REPRODUCED', message })
}

function learn(
  trial: Trial,
  { commands, browserLines }: WrittenCandidate,
  samples: readonly Rehearsal[],
): Expectations | RecordingRefusal {
  const { scenario, known } = trial
  const moments = [trial.now()]
  const said = [known, ...[...commands.values()].map(({ command }) => command)].join('\n')
  const places = [trial.root, ...personalValues(trial.env)].filter((value) => !said.includes(value))
  const expectations = new Map<CommandPiece | Sight, readonly string[]>()
  const exact = new Map([...commands.values()].map((piece) => [piece, exactMints(piece, { samples, moments })]))
  const tokens = new Map([...exact.values()].flat().map(({ name, token }) => [name, token]))
  for (const { step: id, pieces } of trial.steps) {
    const nameFor = namesOfStep()
    for (const [line, piece] of commands) {
      if (!pieces.includes(piece)) continue
      const outputs = samples.flatMap((sample) => outputIn(sample, line, { tokens, places }))
      const around = { moments, known: `${known}\n${piece.command}`, nameFor, tokens }
      const expected = expectedLinesOf({ ...piece, mints: exact.get(piece) ?? [] }, outputs, around)
      if (!expected.ok) return refuseAt(scenario, { id, code: 'NOT_REPRODUCED', message: expected.why })
      expectations.set(piece, expected.lines)
    }
    if (typesPassword(pieces, { browserLines, samples, known }))
      return refuseAt(scenario, { id, code: 'UNCLEAN', message: typedSecret })
    const sights = learnSights(pieces, { browserLines, samples, moments })
    if (!sights.ok) return refuseAt(scenario, { id, code: 'NOT_REPRODUCED', message: sights.why })
    for (const [sight, lines] of sights.expected) expectations.set(sight, lines)
    if (pieces.some((piece) => piece.kind === 'command' && expectations.get(piece)?.some(countsAsCheck))) continue
    const vacuous =
      sights.expected.size === 0
        ? 'The agent quoted nothing that a command printed or a page showed, so its replay would expect nothing.'
        : whyNothingShown(pieces, { browserLines, samples }, sights.expected)
    if (vacuous !== undefined) return refuseAt(scenario, { id, code: 'VACUOUS', message: vacuous })
  }
  return expectations
}

/** Output of a command. Captures that only stand for volatile text are left out. */
function outputIn(
  { commands, places: own }: Rehearsal,
  line: number,
  { tokens, places }: { readonly tokens: ReadonlyMap<string, string>; readonly places: readonly string[] },
): readonly OutputSample[] {
  const found = commands.get(line)
  if (found === undefined) return []
  const { lines, texts } = found
  const captures = new Map([...found.captures].filter(([name]) => tokens.has(name)))
  const around = [...own, ...places]
  return [{ lines, texts, captures, places: [...around, ...foldersIn(texts, around)] }]
}

function foldersIn(texts: readonly string[], places: readonly string[]): readonly string[] {
  const paths = texts.flatMap((text) => text.match(/(?:\/[\w.@+-]+){2,}/g) ?? [])
  const isElsewhere = (path: string): boolean => !places.some((place) => isInside(path, place)) && existsSync(path)
  return [...new Set(paths)].filter(isElsewhere).map((path) => dirname(path))
}

/** Expects a value literally if it was the same in all executions. Captures it only if later commands use it. */
function exactMints(
  { mints }: CommandPiece,
  { samples, moments }: { readonly samples: readonly Rehearsal[]; readonly moments: readonly Date[] },
): readonly MintedValue[] {
  return mints.flatMap((mint) => {
    const { name, token, isOnlyShown } = mint
    const values = samples.flatMap(({ commands }) => [...commands.values()].at(-1)?.captures.get(name) ?? [])
    const isFixed = values.length === samples.length && values.every((value) => value === token)
    if (!isFixed || isOfNow(token, { moments }) || token.startsWith('/'))
      return [{ ...mint, source: sourceOfWord(token, values) }]
    return isOnlyShown ? [] : [{ ...mint, source: quoteRegex(token) }]
  })
}
