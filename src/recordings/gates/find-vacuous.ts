import type { RecordingRefusal } from '../../records/recording-refusal.ts'
import type { Scenario } from '../../spec/spec.ts'
import type { CommandPiece, Piece } from '../derive/piece.ts'
import { writeCandidate, type CandidateStep, type Expectations, type WrittenCandidate } from './candidate.ts'
import { rehearse, type Rehearsal } from './rehearse.ts'
import { refuse, type Trial } from './trial.ts'
import { onlyJudging, withoutAll, withRecorded } from './variants.ts'

interface Held {
  readonly written: WrittenCandidate
  readonly steps: readonly CandidateStep[]
  /** Commands that change files of the scenario. */
  readonly acts: ReadonlySet<CommandPiece>
  /** What each command is expected to print of what the agent quoted. */
  readonly cited: Expectations
}

/** A step that would pass whatever the product does. */
export async function findVacuous(trial: Trial, held: Held): Promise<RecordingRefusal | undefined> {
  const scenario = trial.replay(held.written)
  return (
    (await passesWithoutProduct(trial, { scenario, steps: held.steps })) ??
    (await passesBefore(trial, { ...held, scenario }))
  )
}

const withoutProduct = {
  silent:
    'Its commands print the same without the product: all files of the project were empty. Have the agent quote what the product says.',
  babbling:
    'Its commands print the same where no program of the project works: it is in files that are there, or comes of any output. Have the agent quote what the product says.',
}

async function passesWithoutProduct(
  trial: Trial,
  { scenario, steps }: Pick<Held, 'steps'> & { readonly scenario: Scenario },
): Promise<RecordingRefusal | undefined> {
  // What an application shows in a browser was told apart from its start already: without it no page opens at all.
  const ofCommands = steps.filter(({ pieces }) => pieces.some(isQuotedCommand))
  for (const programs of ofCommands.length > 0 ? (['silent', 'babbling'] as const) : []) {
    const root = await trial.emptiedRoot(programs)
    for (const { step } of ofCommands) {
      const alone = await runUnwatched(trial, onlyJudging(scenario, step), root)
      if (isPass(alone, step)) return refuse(trial, { id: step, code: 'VACUOUS', message: withoutProduct[programs] })
    }
  }
  return undefined
}

async function passesBefore(
  trial: Trial,
  { scenario, steps, acts, cited }: Held & { readonly scenario: Scenario },
): Promise<RecordingRefusal | undefined> {
  for (const one of steps) {
    const quoted = one.pieces.filter(isQuotedCommand)
    if (quoted.length === 0 || quoted.some((piece) => acts.has(piece))) continue
    const looks = writeCandidate([{ ...one, pieces: quoted }], cited).recording.steps[0]?.blocks ?? []
    const early = quoted.length < one.pieces.length ? [withRecorded(scenario, one.step, looks)] : []
    // What files of the project say needs no scenario at all.
    const bare = quoted.every(({ isLook }) => isLook) ? [withoutAll(scenario, one.step, looks)] : []
    for (const variant of [...early, ...bare]) {
      if (!isPass(await runUnwatched(trial, variant), one.step)) continue
      const message =
        'What the agent quoted is there before it does anything, so it does not show that the step worked. Have the agent quote what the step brought about.'
      return refuse(trial, { id: one.step, code: 'VACUOUS', message })
    }
  }
  return undefined
}

function isQuotedCommand(piece: Piece): piece is CommandPiece {
  return piece.kind === 'command' && piece.quotes.length > 0
}

/** Nobody asks which command changed files. */
function runUnwatched(
  { startRun, signal }: Trial,
  scenario: Scenario,
  root: Parameters<typeof rehearse>[0]['root'] = {},
): Promise<Rehearsal> {
  return rehearse({ startRun, signal, scenario, root })
}

function isPass({ verdicts }: Rehearsal, step: string): boolean {
  return verdicts.get(step)?.outcome === 'pass'
}
