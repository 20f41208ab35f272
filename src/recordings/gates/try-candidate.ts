import { setTimeout as sleep } from 'node:timers/promises'
import { stepsOf, type Scenario, type Step } from '../../spec/spec.ts'
import { expectedLinesOf, type OutputSample } from '../derive/expected-lines.ts'
import { learnSights, whyNothingShown } from '../browser/learn-sights.ts'
import type { Sight } from '../browser/browser-piece.ts'
import { generalizeLine } from '../derive/generalize-line.ts'
import type { CommandPiece, Piece } from '../derive/piece.ts'
import { writeCandidate, type CandidateStep, type Expectations, type WrittenCandidate } from './candidate.ts'
import type { RecordingRefusal, RefusalCode } from '../../records/recording-refusal.ts'
import { rehearse, type Rehearsal, type StartRehearsal } from './rehearse.ts'
import { onlyJudging, withRecorded } from './variants.ts'

/** A scenario with a candidate in the place of its agent. */
export interface Trial {
  readonly steps: readonly CandidateStep[]
  /** The scenario with these recorded blocks in the place of the agent. */
  replay(written: WrittenCandidate): Scenario
  readonly startRun: StartRehearsal
  /** Tells two states of the scenario's files apart. */
  readonly stamp: () => string
  /** Is told where the scenario works, before its first command. */
  readonly onDirectory?: (path: string) => void
  /** Makes a root without the product. */
  emptiedRoot(): Promise<EmptiedRoot>
  readonly now: () => Date
  readonly signal: AbortSignal
}

type EmptiedRoot = Parameters<typeof rehearse>[0]['root']

export type TrialResult =
  | { readonly ok: true; readonly written: WrittenCandidate }
  | { readonly ok: false; readonly refusal: RecordingRefusal }

/** Between two executions, in milliseconds: clocks that show seconds then differ. */
const pauseMs = 1100

/**
 * Executes a candidate without the agent until it is known what it can expect, and keeps it only where it holds and can
 * fail.
 */
export async function tryCandidate(trial: Trial): Promise<TrialResult> {
  const mints = mintExpectations(trial.steps)
  const first = writeCandidate(trial.steps, mints)
  const samples: Rehearsal[] = []
  let emptied: EmptiedRoot
  for (const isSecond of [false, true]) {
    // What a later gate needs is made while clocks go on.
    if (isSecond) [emptied] = await Promise.all([trial.emptiedRoot(), sleep(pauseMs, undefined, trial)])
    const rehearsal = await rehearse({ ...trial, scenario: trial.replay(first), stamp: trial.stamp })
    const refusal = notReproduced(trial, rehearsal, first)
    if (refusal) return { ok: false, refusal }
    samples.push(rehearsal)
  }
  const learned = learn(trial, first, samples)
  if ('code' in learned) return { ok: false, refusal: learned }
  const smallest = await smallestThatHolds(trial, { learned, first, samples })
  if ('code' in smallest) return { ok: false, refusal: smallest }
  const vacuous = await findVacuous(trial, { ...smallest, first, samples, emptied })
  return vacuous ? { ok: false, refusal: vacuous } : { ok: true, written: smallest.written }
}

/** What an execution needs whose effects on files nobody asks for: after each command all of them would be looked at. */
function runOf({ startRun, signal }: Trial): Pick<Trial, 'startRun' | 'signal'> {
  return { startRun, signal }
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
      const captured = new Map([...open].filter(([name]) => line.includes(captures.get(name) ?? '')))
      if (captured.size === 0) return []
      for (const name of captured.keys()) open.delete(name)
      const template = generalizeLine([{ line, captures }], { days: [], captured, nameFor, isLoose: true })
      return template === undefined ? [] : [template, '...']
    })
    found.set(piece, ['...', ...lines])
  }
  return found
}

function notReproduced(
  trial: Trial,
  { verdicts, problem }: Rehearsal,
  written: WrittenCandidate,
): RecordingRefusal | undefined {
  const failed = stepsOf(trial.replay(written)).find(
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
  const days = [...new Set([trial.now().toISOString().slice(0, 10)])]
  const expectations = new Map<CommandPiece | Sight, readonly string[]>()
  const tokens = new Map(
    [...commands.values()].flatMap(({ mints }) => mints.map(({ name, token }) => [name, token] as const)),
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
      const outputs = samples.flatMap((sample) => outputIn(sample, { line, minted: tokens }))
      const expected = expectedLinesOf(piece, outputs, { days, nameFor, tokens })
      if (!expected.ok) return refuse(trial, { id: step, code: 'NOT_REPRODUCED', message: expected.why })
      expectations.set(piece, expected.lines)
    }
    const sights = learnSights(pieces, { browserLines, samples, days })
    if (!sights.ok) return refuse(trial, { id: step, code: 'NOT_REPRODUCED', message: sights.why })
    for (const [sight, lines] of sights.expected) expectations.set(sight, lines)
    const hasCommand = pieces.some((piece) => piece.kind === 'command' && expectsSomething(expectations.get(piece)))
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
  { commands }: Rehearsal,
  { line, minted }: { readonly line: number; readonly minted: ReadonlyMap<string, string> },
): readonly OutputSample[] {
  const found = commands.get(line)
  if (found === undefined) return []
  return [{ lines: found.lines, captures: new Map([...found.captures].filter(([name]) => minted.has(name))) }]
}

function expectsSomething(lines: readonly string[] = []): boolean {
  return lines.some((line) => line !== '...')
}

interface Learned {
  readonly first: WrittenCandidate
  readonly samples: readonly Rehearsal[]
}

interface Held {
  readonly written: WrittenCandidate
  readonly steps: readonly CandidateStep[]
}

/** The candidate without commands that only look and were not quoted, if that holds; else as it is, if that does. */
async function smallestThatHolds(
  trial: Trial,
  { learned, first, samples }: Learned & { readonly learned: Expectations },
): Promise<Held | RecordingRefusal> {
  const needless = new Set(
    [...first.commands].flatMap(([line, piece]) => {
      const hasChanged = samples.some(({ commands }) => commands.get(line)?.hasChanged !== false)
      return piece.quotes.length === 0 && piece.mints.length === 0 && !hasChanged ? [piece] : []
    }),
  )
  const smaller = trial.steps.map((one) => ({
    ...one,
    pieces: one.pieces.filter((piece) => piece.kind !== 'command' || !needless.has(piece)),
  }))
  let refusal: RecordingRefusal | undefined
  for (const steps of needless.size > 0 ? [smaller, trial.steps] : [trial.steps]) {
    const written = writeCandidate(steps, learned)
    const rehearsal = await rehearse({ ...runOf(trial), scenario: trial.replay(written) })
    refusal = notReproduced(trial, rehearsal, written)
    if (refusal === undefined) return { written, steps }
  }
  return refusal ?? refuse(trial, { id: '', code: 'NOT_REPRODUCED', message: 'It does not hold.' })
}

/** A step that would pass whatever the product does. */
async function findVacuous(
  trial: Trial,
  { written, steps, first, samples, emptied }: Learned & Held & { readonly emptied: EmptiedRoot },
): Promise<RecordingRefusal | undefined> {
  const scenario = trial.replay(written)
  // What an application shows in a browser was told apart from its start already: without it no page opens at all.
  for (const { step } of steps.filter(({ pieces }) => pieces.some(isQuotedCommand))) {
    const alone = await rehearse({ ...runOf(trial), scenario: onlyJudging(scenario, step), root: emptied ?? {} })
    if (alone.verdicts.get(step)?.outcome === 'pass') {
      return refuse(trial, {
        id: step,
        code: 'VACUOUS',
        message:
          'Its commands print the same without the product: all files of the project were empty. Have the agent quote what the product says.',
      })
    }
  }
  const acts = new Set(
    [...first.commands].flatMap(([line, piece]) =>
      samples.some(({ commands }) => commands.get(line)?.hasChanged !== false) ? [piece] : [],
    ),
  )
  for (const one of steps) {
    const commands = one.pieces.filter((piece) => piece.kind === 'command')
    const quoted = commands.filter(({ quotes }) => quotes.length > 0)
    const isAllLooks = quoted.length > 0 && quoted.every((piece) => !acts.has(piece))
    if (!isAllLooks || quoted.length === one.pieces.length) continue
    const looks = writeCandidate([{ ...one, pieces: quoted }], expectationsIn(written, commands))
    const early = withRecorded(scenario, one.step, looks.recording.steps[0]?.blocks ?? [])
    const rehearsal = await rehearse({ ...runOf(trial), scenario: early })
    if (rehearsal.verdicts.get(one.step)?.outcome === 'pass') {
      return refuse(trial, {
        id: one.step,
        code: 'VACUOUS',
        message: 'What the agent quoted is there before it does anything, so it does not show that the step worked.',
      })
    }
  }
  return undefined
}

function isQuotedCommand(piece: Piece): boolean {
  return piece.kind === 'command' && piece.quotes.length > 0
}

/** Expected lines as they stand in a written candidate. */
function expectationsIn({ recording, commands }: WrittenCandidate, pieces: readonly CommandPiece[]): Expectations {
  const blocks = recording.steps.flatMap((step) => step.blocks)
  const written = blocks.flatMap((block) => (block.kind === 'console' ? block.commands : []))
  return new Map(
    written.flatMap(({ line, expected }) => {
      const piece = commands.get(line)
      return piece !== undefined && pieces.includes(piece) ? [[piece, expected] as const] : []
    }),
  )
}

interface Found {
  /** Id of the step. */
  readonly id: string
  readonly code: RefusalCode
  readonly message: string
}

function refuse({ steps, replay }: Trial, { id, code, message }: Found): RecordingRefusal {
  const written = writeCandidate(steps, new Map())
  const step: Step | undefined = stepsOf(replay(written)).find((one) => one.id === id)
  const { title = id, line = 1, file } = step ?? {}
  return { code, step: title, line, ...(file !== undefined && { file }), message: message.trim() }
}
