import type { RecordingRefusal } from '../../records/recording-refusal.ts'
import type { Scenario } from '../../spec/spec.ts'
import type { CommandPiece, Piece } from '../derive/piece.ts'
import { writeCandidate, type CandidateStep, type Expectations, type WrittenCandidate } from './candidate.ts'
import { rehearse, type Rehearsal } from './rehearse.ts'
import { refuse, runOf, type Trial } from './trial.ts'
import { withoutAll, withRecorded } from './variants.ts'
import { passingWithoutProduct, type JudgedStep } from './without-product.ts'

/** A candidate that passes without the agent. */
export interface HoldingCandidate {
  readonly written: WrittenCandidate
  readonly steps: readonly CandidateStep[]
}

interface JudgedCandidate extends HoldingCandidate {
  /** Commands that change files of the scenario. */
  readonly acts: ReadonlySet<CommandPiece>
  /** What each command is expected to print of what the agent quoted. */
  readonly cited: Expectations
}

/** A step that would pass whatever the product does. */
export async function findVacuous(trial: Trial, candidate: JudgedCandidate): Promise<RecordingRefusal | undefined> {
  const scenario = trial.replay(candidate.written)
  return (
    (await passesWithoutProduct(trial, { ...candidate, scenario })) ??
    (await passesBefore(trial, { ...candidate, scenario }))
  )
}

async function passesWithoutProduct(
  trial: Trial,
  { scenario, steps }: Pick<HoldingCandidate, 'steps'> & { readonly scenario: Scenario },
): Promise<RecordingRefusal | undefined> {
  const { emptiedRoot } = trial
  for await (const { id, why } of passingWithoutProduct(judgedSteps(steps), { ...runOf(trial), scenario, emptiedRoot }))
    return refuse(trial, { id, code: 'VACUOUS', message: `${why} Have the agent quote what the product says.` })
  return undefined
}

/** Steps as they are judged by what the agent quoted. */
export function judgedSteps(steps: readonly CandidateStep[]): readonly JudgedStep[] {
  return steps.map(({ step, pieces }) => {
    const told = pieces.filter(isQuotedCommand).map(({ command, isElsewhere = false, quotes }) => {
      return { command, isElsewhere, words: quotes }
    })
    return { id: step, told }
  })
}

async function passesBefore(
  trial: Trial,
  { scenario, steps, acts, cited }: JudgedCandidate & { readonly scenario: Scenario },
): Promise<RecordingRefusal | undefined> {
  for (const one of steps) {
    const quoted = one.pieces.filter(isQuotedCommand)
    if (quoted.length === 0 || quoted.some((piece) => acts.has(piece))) continue
    const looks = writeCandidate([{ ...one, pieces: quoted }], cited).recording.steps[0]?.blocks ?? []
    const early = quoted.length < one.pieces.length ? [withRecorded(scenario, one.step, looks)] : []
    // What files of the project say needs no scenario at all.
    const bare = quoted.every(({ isLook }) => isLook) ? [withoutAll(scenario, one.step, looks)] : []
    for (const variant of [...early, ...bare]) {
      if (!isPass(await rehearse({ ...runOf(trial), scenario: variant }), one.step)) continue
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

function isPass({ verdicts }: Rehearsal, step: string): boolean {
  return verdicts.get(step)?.outcome === 'pass'
}
