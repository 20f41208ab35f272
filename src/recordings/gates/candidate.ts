import { formatRecording } from '../../spec/recording/format-recording.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import type { Recording } from '../../spec/recording/recording.ts'
import type { BrowserItem, Sight, CommandPiece, Piece } from '../derive/piece.ts'
import { writeBrowserLines } from '../browser/write-browser.ts'
import { writeBlocks } from '../derive/write-blocks.ts'

export interface CandidateStep {
  readonly step: string
  readonly title: string
  readonly key: string
  readonly pieces: readonly Piece[]
}

/** Expected lines of each command, and of each line of a page that one; of what is not there, anything. */
export type Expectations = ReadonlyMap<CommandPiece | Sight, readonly string[]>

export interface WrittenCandidate {
  readonly recording: Recording
  readonly bodies: ReadonlyMap<string, string>
  readonly commands: ReadonlyMap<number, CommandPiece>
  readonly browserLines: ReadonlyMap<number, BrowserItem>
}

/** Writes a candidate and reads it back: what is tried is what will stand in the file. */
export function writeCandidate(steps: readonly CandidateStep[], expectations: Expectations): WrittenCandidate {
  const toWrite = steps.map(({ pieces, ...step }) => {
    const body = writeBlocks(pieces.map((piece) => ({ piece, expected: linesOf(piece, expectations) })))
    return { ...step, by: 'x', on: '2000-01-01', body }
  })
  const text = formatRecording('x.test.md', [{ title: 'x', isStep: false, steps: toWrite }])
  const { recording } = parseRecording(text, 'x.recording.md')
  const blocks = recording.steps.flatMap((step) => step.blocks)
  const pieces = steps.flatMap((step) => step.pieces)
  return {
    recording,
    bodies: new Map(toWrite.map(({ step, body }) => [step, body])),
    commands: byLine(
      blocks.flatMap((block) => (block.kind === 'console' ? block.commands.map(({ line }) => line) : [])),
      pieces.filter((piece) => piece.kind === 'command'),
    ),
    browserLines: byLine(
      blocks.flatMap(({ kind, code, codeLine }) =>
        kind === 'browser' ? code.split('\n').map((_line, index) => codeLine + index) : [],
      ),
      pieces.flatMap((piece) => (piece.kind === 'browser' ? piece.items : [])),
    ),
  }
}

function linesOf(piece: Piece, expectations: Expectations): readonly string[] {
  if (piece.kind === 'browser') return writeBrowserLines(piece, (sight) => expectations.get(sight)?.[0])
  return piece.kind === 'command' ? (expectations.get(piece) ?? ['...']) : []
}

/** Each stands in the file, in the same order. Where one cannot be read back, nothing is known of any. */
function byLine<Item>(lines: readonly number[], items: readonly Item[]): ReadonlyMap<number, Item> {
  if (lines.length !== items.length) return new Map()
  return new Map(items.map((item, index) => [lines[index] ?? 0, item]))
}
