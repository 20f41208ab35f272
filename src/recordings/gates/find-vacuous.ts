import type { RecordingRefusal } from '../../records/recording-refusal.ts'
import type { Scenario } from '../../spec/spec.ts'
import type { CommandPiece, Piece } from '../derive/piece.ts'
import { writeCandidate, type CandidateStep, type Expectations, type WrittenCandidate } from './candidate.ts'
import { rehearse, type Rehearsal } from './rehearse.ts'
import { refuse, runOf, type Trial } from './trial.ts'
import { allPrograms, type Programs } from './emptied-root.ts'
import { findPassing } from './find-passing.ts'
import { withoutAll, withRecorded } from './variants.ts'

/** Roots without the product. */
export type EmptiedRoots = Readonly<Record<Programs, Root>>

type Root = Parameters<typeof rehearse>[0]['root']

/** Where no command is judged they are not needed. */
export async function makeEmptiedRoots(trial: Trial): Promise<EmptiedRoots | undefined> {
  if (!trial.steps.some(({ pieces }) => pieces.some(isQuotedCommand))) return undefined
  const [silent, babbling, failing] = await Promise.all([
    trial.emptiedRoot('silent'),
    trial.emptiedRoot('babbling'),
    trial.emptiedRoot('failing'),
  ])
  return { silent, babbling, failing }
}

interface Held {
  readonly written: WrittenCandidate
  readonly steps: readonly CandidateStep[]
  /** Commands that change files of the scenario. */
  readonly acts: ReadonlySet<CommandPiece>
  /** What each command is expected to print of what the agent quoted. */
  readonly cited: Expectations
  readonly emptied?: EmptiedRoots
}

/** A step that would pass whatever the product does. */
export async function findVacuous(trial: Trial, held: Held): Promise<RecordingRefusal | undefined> {
  const scenario = trial.replay(held.written)
  return (
    (await passesWithoutProduct(trial, { ...held, scenario })) ?? (await passesBefore(trial, { ...held, scenario }))
  )
}

const withoutProduct: Readonly<Record<Programs, string>> = {
  silent:
    'Its commands print the same without the product: all files of the project were empty. Have the agent quote what the product says.',
  babbling:
    'Its commands print the same where no program of the project works: it is in files that are there, or comes of any output. Have the agent quote what the product says.',
  failing:
    'Its commands print the same where each program of the project fails at once, whatever the reason. Have the agent quote what the product says of its failure.',
}

async function passesWithoutProduct(
  trial: Trial,
  { scenario, steps, emptied }: Pick<Held, 'steps' | 'emptied'> & { readonly scenario: Scenario },
): Promise<RecordingRefusal | undefined> {
  // What an application shows in a browser was told apart from its start already: without it no page opens at all.
  // Nor is a server that runs by itself gone where the files of the project are empty.
  const ofCommands = steps.filter(({ pieces }) =>
    pieces.some((piece) => isQuotedCommand(piece) && piece.isElsewhere !== true),
  )
  const echoed = steps.find(({ pieces }) => isEchoed(pieces))
  if (echoed) return refuse(trial, { id: echoed.step, code: 'VACUOUS', message: echoes })
  for (const programs of allPrograms) {
    const judged = ofCommands.filter(
      ({ pieces }) =>
        programs === 'silent' || !pieces.some((piece) => isQuotedCommand(piece) && isOfPackage(piece.command)),
    )
    const root = emptied?.[programs] ?? {}
    const ids = judged.map(({ step }) => step)
    const [id] = await findPassing(ids, { ...runOf(trial), scenario, root })
    if (id !== undefined) return refuse(trial, { id, code: 'VACUOUS', message: withoutProduct[programs] })
  }
  return undefined
}

const echoes =
  'A tool gave back what it was given, whatever the product does. Have the agent quote what the product says.'

/** Whether all that was quoted is of servers that run by themselves, and stands in the calls. */
function isEchoed(pieces: readonly Piece[]): boolean {
  const quoted = pieces.filter(isQuotedCommand)
  return (
    quoted.length > 0 &&
    quoted.every(({ isElsewhere, command, quotes }) => isElsewhere && quotes.every((quote) => command.includes(quote)))
  )
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
      if (!isPass(await rehearse({ ...runOf(trial), scenario: variant }), one.step)) continue
      const message =
        'What the agent quoted is there before it does anything, so it does not show that the step worked. Have the agent quote what the step brought about.'
      return refuse(trial, { id: one.step, code: 'VACUOUS', message })
    }
  }
  return undefined
}

/** A program of an installed package works on data of the project: then the data are the product. */
export function isOfPackage(command: string): boolean {
  return /\b(?:np[mx]|pnpm|yarn|bunx?|uvx?|pipx|node_modules)\b/.test(command)
}

function isQuotedCommand(piece: Piece): piece is CommandPiece {
  return piece.kind === 'command' && piece.quotes.length > 0
}

function isPass({ verdicts }: Rehearsal, step: string): boolean {
  return verdicts.get(step)?.outcome === 'pass'
}
