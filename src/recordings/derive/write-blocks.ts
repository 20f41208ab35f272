import type { FilePiece, Piece } from './piece.ts'

export interface ExpectedPiece {
  readonly piece: Piece
  /** Lines of expected output; of a browser all its lines; empty for files and services. */
  readonly expected: readonly string[]
}

interface OpenBlock {
  readonly info: string
  readonly lines: readonly string[]
}

/** The blocks of a step, as markdown. Commands in one directory share a transcript. */
export function writeBlocks(pieces: readonly ExpectedPiece[]): string {
  const blocks: OpenBlock[] = []
  for (const one of pieces) {
    const block = blockOf(one)
    const last = blocks.at(-1)
    if (one.piece.kind !== 'command' || last?.info !== block.info) blocks.push(block)
    else blocks.splice(-1, 1, { ...last, lines: [...last.lines, ...block.lines] })
  }
  return blocks.map(fenced).join('\n\n')
}

function blockOf({ piece, expected }: ExpectedPiece): OpenBlock {
  switch (piece.kind) {
    case 'service': {
      const wait = piece.wait === undefined ? '' : ` wait=${piece.wait}`
      return { info: `sh background${cwdAttribute(piece.cwd)}${wait}`, lines: [piece.command] }
    }
    case 'browser':
      return { info: 'ts browser', lines: expected }
    case 'file':
      return fileBlock(piece)
    case 'command': {
      const { command, cwd, exitCode } = piece
      const info = `console${cwdAttribute(cwd)}`
      return { info, lines: [...promptLines(command), ...expected, ...(exitCode === 0 ? [] : [`[${exitCode}]`])] }
    }
    default:
      return piece satisfies never
  }
}

function fenced({ info, lines }: OpenBlock): string {
  const runs = lines.join('\n').matchAll(/^ {0,3}(`{3,})/gm)
  const fence = '`'.repeat(Math.max(3, ...[...runs].map(([, ticks = '']) => ticks.length + 1)))
  return [`${fence}${info}`, ...lines, fence].join('\n')
}

function fileBlock({ path, content }: FilePiece): OpenBlock {
  return { info: `text file=${attribute(path)}`, lines: content.replace(/\n$/, '').split('\n') }
}

function cwdAttribute(cwd: string): string {
  return cwd === '' ? '' : ` cwd=${attribute(cwd)}`
}

function attribute(value: string): string {
  return /^[^\s"\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`
}

function promptLines(command: string): readonly string[] {
  // At the end of all a backslash is one; in front of a line it would continue the command.
  const [first = '', ...more] = command.replace(/(?<!\\)((?:\\\\)*)\\$/, String.raw`$1\\`).split('\n')
  return [`$ ${first}`, ...more.map((line) => (line === '' ? '>' : `> ${line}`))]
}
