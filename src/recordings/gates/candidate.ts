import { formatRecording } from '../../spec/recording/format-recording.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import type { Recording } from '../../spec/recording/recording.ts'
import type { CommandPiece, Piece, StepPieces } from '../derive/piece.ts'
import { writeBlocks } from '../derive/write-blocks.ts'

/** A step of a candidate: what may become its recording. */
export interface CandidateStep {
  /** Id of the step. */
  readonly step: string
  readonly title: string
  readonly key: string
  readonly pieces: readonly Piece[]
}

/** Expected lines of each command; of one that is not there, anything. */
export type Expectations = ReadonlyMap<CommandPiece, readonly string[]>

/** A candidate as it would be read from its file. */
export interface WrittenCandidate {
  readonly recording: Recording
  /** Blocks of each step as markdown, by id. */
  readonly bodies: ReadonlyMap<string, string>
  /** Commands by the line on which they stand. */
  readonly commands: ReadonlyMap<number, CommandPiece>
}

const anything = ['...']

/** Writes a candidate and reads it back: what is tried is what will stand in the file. */
export function writeCandidate(steps: readonly CandidateStep[], expectations: Expectations): WrittenCandidate {
  const bodies = new Map(
    steps.map(({ step, pieces }) => [
      step,
      writeBlocks(
        pieces.map((piece) => ({
          piece,
          expected: piece.kind === 'command' ? (expectations.get(piece) ?? anything) : [],
        })),
      ),
    ]),
  )
  const toWrite = steps.map(({ step, title, key }) => ({
    title,
    key,
    by: 'x',
    on: '2000-01-01',
    body: bodies.get(step) ?? '',
  }))
  const text = formatRecording('x.test.md', [{ title: 'x', isStep: false, steps: toWrite }])
  const { recording } = parseRecording(text, 'x.recording.md')
  const lines = recording.steps.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === 'console' ? block.commands.map(({ line, command }) => ({ line, command })) : [],
    ),
  )
  return { recording, bodies, commands: linesOfPieces(steps, lines) }
}

/** Commands stand in the file in their order; between them stand those that write files. */
function linesOfPieces(
  steps: readonly StepPieces[],
  lines: readonly { readonly line: number; readonly command: string }[],
): ReadonlyMap<number, CommandPiece> {
  const found = new Map<number, CommandPiece>()
  let at = 0
  for (const piece of steps.flatMap(({ pieces }) => pieces)) {
    if (piece.kind !== 'command') continue
    const index = lines.findIndex(({ command }, n) => n >= at && command.includes(piece.command))
    const line = lines[index]
    if (line === undefined) continue
    found.set(line.line, piece)
    at = index + 1
  }
  return found
}
