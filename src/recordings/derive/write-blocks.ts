import { quoteWord } from '../../system/text/quoting.ts'
import { dirname } from 'node:path'
import { bareText, hasComment } from '../../system/text/shell-spans.ts'
import { changesShell, movesShell } from './shell-state.ts'
import type { CommandPiece, FilePiece, Piece } from './piece.ts'

/** A piece with what a recording expects of it. */
export interface ExpectedPiece {
  readonly piece: Piece
  /** Lines of expected output; of a browser all its lines; empty for files and services. */
  readonly expected: readonly string[]
}

/**
 * The blocks of a step, as markdown. Commands in one directory share a transcript. The first files are `file=` blocks,
 * which are written before all commands; a later one is written by a command.
 */
export function writeBlocks(pieces: readonly ExpectedPiece[]): string {
  const blocks: OpenBlock[] = []
  const all = pieces.map(({ piece }) => piece)
  for (const [index, { piece, expected }] of pieces.entries()) {
    if (piece.kind === 'service') {
      const wait = piece.wait === undefined ? '' : ` wait=${piece.wait}`
      blocks.push({ info: `sh background${cwdAttribute(piece.cwd)}${wait}`, lines: [piece.command], isOpen: false })
    } else if (piece.kind === 'browser') {
      blocks.push({ info: 'ts browser', lines: [...expected], isOpen: false })
    } else if (piece.kind === 'file' && !isWrittenAsCommand(piece, index, all)) {
      blocks.push(fileBlock(piece))
    } else {
      const [cwd, lines] =
        piece.kind === 'file' ? ['', writeFileCommand(piece)] : [piece.cwd, writeCommand(piece, expected)]
      // Where a block has a directory, the shell is back at its end.
      const isMoving = piece.kind === 'command' && piece.isLasting === true && movesShell(piece.command)
      const info = `console${cwdAttribute(isMoving && cwd === '' ? '.' : cwd)}`
      const last = blocks.at(-1)
      if (!isMoving && last?.isOpen === true && last.info === info) last.lines.push(...lines)
      else blocks.push({ info, lines: [...lines], isOpen: !isMoving })
    }
  }
  return blocks.map(({ info, lines }) => fenced(info, lines)).join('\n\n')
}

interface OpenBlock {
  readonly info: string
  readonly lines: string[]
  /** Whether further commands may join it. */
  readonly isOpen: boolean
}

function fenced(info: string, lines: readonly string[]): string {
  const runs = lines.join('\n').matchAll(/^ {0,3}(`{3,})/gm)
  const fence = '`'.repeat(Math.max(3, ...[...runs].map(([, ticks = '']) => ticks.length + 1)))
  return [`${fence}${info}`, ...lines, fence].join('\n')
}

function fileBlock({ path, content }: FilePiece): OpenBlock {
  return { info: `text file=${attribute(path)}`, lines: content.replace(/\n$/, '').split('\n'), isOpen: false }
}

function cwdAttribute(cwd: string): string {
  return cwd === '' ? '' : ` cwd=${attribute(cwd)}`
}

function attribute(value: string): string {
  return /^[^\s"\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`
}

function writeCommand({ command, exitCode, isLasting }: CommandPiece, expected: readonly string[]): readonly string[] {
  return [
    ...promptLines(inShell(command, isLasting === true)),
    ...expected,
    ...(exitCode === 0 ? [] : [`[${exitCode}]`]),
  ]
}

/**
 * Whether a piece of a step is a command of a transcript. Files in blocks are written before all commands, each once, and
 * end with a newline.
 */
export function isWrittenAsCommand(piece: Piece, index: number, pieces: readonly Piece[]): boolean {
  if (piece.kind !== 'file') return piece.kind === 'command'
  const { path, content, isScratch } = piece
  if (isScratch === true) return true
  const isFirst = pieces.slice(0, index).every((one) => one.kind === 'file' && one.path !== path)
  return !isFirst || (content !== '' && !content.endsWith('\n'))
}

function writeFileCommand({ path, content, isScratch }: FilePiece): readonly string[] {
  const base = isScratch === true ? '"$TMPDIR"/' : ''
  const folder = dirname(path)
  const made = folder === '.' ? '' : `mkdir -p ${base}${quoteWord(folder)} && `
  const file = `${base}${quoteWord(path)}`
  if (content === '') return promptLines(`${made}: > ${file}`)
  if (!content.endsWith('\n')) return promptLines(`${made}printf %s ${quoteWord(content)} > ${file}`)
  const end = freeWord(content)
  return promptLines(`${made}cat > ${file} <<'${end}'\n${content}${end}`)
}

function freeWord(content: string): string {
  let word = 'EOF'
  while (content.split('\n').includes(word)) word += '_'
  return word
}

function promptLines(command: string): readonly string[] {
  const [first = '', ...more] = command.split('\n')
  return [`$ ${first}`, ...more.map((line) => (line === '' ? '>' : `> ${line}`))]
}

/** In a transcript all lasts from one command to the next. Of an agent's command nothing does, but what later ones need. */
function inShell(command: string, isLasting: boolean): string {
  // At the end of all a backslash is one; in front of a line it would continue the command.
  const closed = command.replace(/(?<!\\)((?:\\\\)*)\\$/, String.raw`$1\\`)
  if (isLasting || !changesShell.test(bareText(closed))) return closed
  if (closed.includes('\n') || hasComment(closed)) return `(\n${closed}\n)`
  // Two parentheses in a row begin a sum.
  return `(${closed.startsWith('(') ? ' ' : ''}${closed.replace(/(?<!\\);\s*$/, '')})`
}
