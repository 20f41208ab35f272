import { formatRecording } from '../../spec/recording/format-recording.ts'
import { parseRecording } from '../../spec/recording/parse-recording.ts'
import type { Recording } from '../../spec/recording/recording.ts'
import { writeSee } from '../../spec/browser/page-lines.ts'
import { anythingLike } from '../browser/learn-sights.ts'
import type { BrowserItem, CommandPiece, Piece, Sight, StepPieces } from '../derive/piece.ts'

export interface CandidateStep extends StepPieces {
  readonly title: string
  readonly key: string
}

/** Expected lines of each command or page line. A command without an entry may print anything. */
export type Expectations = ReadonlyMap<CommandPiece | Sight, readonly string[]>

export interface WrittenCandidate {
  readonly recording: Recording
  readonly bodies: ReadonlyMap<string, string>
  readonly commands: ReadonlyMap<number, CommandPiece>
  readonly browserLines: ReadonlyMap<number, BrowserItem>
}

/** Writes a candidate and parses it again. The gates then try exactly the text that the file will have. */
export function writeCandidate(steps: readonly CandidateStep[], expectations: Expectations): WrittenCandidate {
  const toWrite = steps.map(({ pieces, ...step }) => {
    return { ...step, by: 'x', on: '2000-01-01', body: writeBlocks(pieces, expectations) }
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

/** Maps line numbers to items, both in the order of the file. Empty if the parser lost an item. */
function byLine<Item>(lines: readonly number[], items: readonly Item[]): ReadonlyMap<number, Item> {
  if (lines.length !== items.length) return new Map()
  return new Map(items.map((item, index) => [lines[index] ?? 0, item]))
}

interface OpenBlock {
  readonly info: string
  readonly lines: readonly string[]
}

export function writeBlocks(pieces: readonly Piece[], expectations: Expectations): string {
  const blocks: OpenBlock[] = []
  for (const piece of pieces) {
    const block = blockOf(piece, expectations)
    const last = blocks.at(-1)
    if (piece.kind !== 'command' || last?.info !== block.info) blocks.push(block)
    else blocks.splice(-1, 1, { ...last, lines: [...last.lines, ...block.lines] })
  }
  return blocks.map(fenced).join('\n\n')
}

function blockOf(piece: Piece, expectations: Expectations): OpenBlock {
  switch (piece.kind) {
    case 'service': {
      const wait = piece.wait === undefined ? '' : ` wait=${piece.wait}`
      return { info: `sh background${cwdAttribute(piece.cwd)}${wait}`, lines: [piece.command] }
    }
    case 'browser':
      return { info: 'ts browser', lines: piece.items.map((item) => browserLine(item, expectations)) }
    case 'file':
      return { info: `text file=${attribute(piece.path)}`, lines: piece.content.replace(/\n$/, '').split('\n') }
    case 'command': {
      const { command, cwd, exitCode } = piece
      const expected = expectations.get(piece) ?? ['...']
      const info = `console${cwdAttribute(cwd)}`
      return { info, lines: [...promptLines(command), ...expected, ...(exitCode === 0 ? [] : [`[${exitCode}]`])] }
    }
    default:
      return piece satisfies never
  }
}

function browserLine(item: BrowserItem, expectations: Expectations): string {
  return item.kind === 'action' ? item.code : `${writeSee(expectations.get(item)?.[0] ?? anythingLike(item))};`
}

function fenced({ info, lines }: OpenBlock): string {
  const runs = lines.join('\n').matchAll(/^ {0,3}(`{3,})/gm)
  const fence = '`'.repeat(Math.max(3, ...[...runs].map(([, ticks = '']) => ticks.length + 1)))
  return [`${fence}${info}`, ...lines, fence].join('\n')
}

function cwdAttribute(cwd: string): string {
  return cwd === '' ? '' : ` cwd=${attribute(cwd)}`
}

function attribute(value: string): string {
  return /^[^\s"\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`
}

function promptLines(command: string): readonly string[] {
  // A single backslash at the end would join the command with the next line. Double it.
  const [first = '', ...more] = command.replace(/(?<!\\)((?:\\\\)*)\\$/, String.raw`$1\\`).split('\n')
  return [`$ ${first}`, ...more.map((line) => (line === '' ? '>' : `> ${line}`))]
}
