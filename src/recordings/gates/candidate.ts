import { formatRecording } from '../../spec/recording/format-recording.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import type { Recording } from '../../spec/recording/recording.ts'
import type { BrowserItem, Sight, CommandPiece, Piece, StepPieces } from '../derive/piece.ts'
import { writeBrowserLines } from '../browser/write-browser.ts'
import { isWrittenAsCommand, writeBlocks } from '../derive/write-blocks.ts'

/** A step of a candidate: what may become its recording. */
export interface CandidateStep {
  /** Id of the step. */
  readonly step: string
  readonly title: string
  readonly key: string
  readonly pieces: readonly Piece[]
}

/** Expected lines of each command, and of each line of a page that one; of what is not there, anything. */
export type Expectations = ReadonlyMap<CommandPiece | Sight, readonly string[]>

/** A candidate as it would be read from its file. */
export interface WrittenCandidate {
  readonly recording: Recording
  /** Blocks of each step as markdown, by id. */
  readonly bodies: ReadonlyMap<string, string>
  /** Commands by the line on which they stand. */
  readonly commands: ReadonlyMap<number, CommandPiece>
  /** Lines of `ts browser` blocks by the line on which they stand. */
  readonly browserLines: ReadonlyMap<number, BrowserItem>
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
          expected: linesOf(piece, expectations),
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
  return { recording, bodies, commands: linesOfPieces(steps, lines), browserLines: linesOfBrowser(steps, recording) }
}

function linesOf(piece: Piece, expectations: Expectations): readonly string[] {
  if (piece.kind === 'browser') return writeBrowserLines(piece, (sight) => expectations.get(sight)?.[0])
  return piece.kind === 'command' ? (expectations.get(piece) ?? anything) : []
}

/** Each line stands in the file, in the same order. */
function linesOfBrowser(steps: readonly StepPieces[], { steps: written }: Recording): ReadonlyMap<number, BrowserItem> {
  const pieces = steps.flatMap((step) => step.pieces)
  const items = pieces.flatMap((piece) => (piece.kind === 'browser' ? piece.items : []))
  const blocks = written.flatMap((step) => step.blocks)
  const lines = blocks.flatMap(({ kind, code, codeLine }) =>
    kind === 'browser' ? code.split('\n').map((_line, index) => codeLine + index) : [],
  )
  // Of a line that cannot be read back nothing is known, nor of those behind it.
  if (lines.length !== items.length) return new Map()
  return new Map(lines.flatMap((line, index) => (items[index] ? [[line, items[index]] as const] : [])))
}

/** Each stands in the file, in the same order; between them stand those that write files. */
function linesOfPieces(
  steps: readonly StepPieces[],
  lines: readonly { readonly line: number; readonly command: string }[],
): ReadonlyMap<number, CommandPiece> {
  const written = steps.flatMap(({ pieces }) => pieces.filter(isWrittenAsCommand))
  if (lines.length !== written.length) return new Map()
  return new Map(
    lines.flatMap(({ line }, index) => {
      const piece = written[index]
      return piece?.kind === 'command' ? [[line, piece] as const] : [] // pairs
    }),
  )
}
