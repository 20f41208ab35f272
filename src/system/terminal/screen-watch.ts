import type { Terminal as Emulator } from '@xterm/headless'
import type { Redactor } from '../redaction/redact.ts'
import { openEmulator } from './open-emulator.ts'
import type { TerminalSize } from './terminal.ts'
import { messageOf } from '../error-facts.ts'

/** Looks for secrets on the screen that an output makes. */
export interface ScreenWatch {
  show(output: string): void
  resize(size: TerminalSize): void
  /** Why the output may hold a secret; nothing where all that was looked at does not. */
  readonly problem: string | undefined
  /** Waits until all was looked at, so many milliseconds at most, which are a problem, too. */
  end(limitMs: number): Promise<void>
}

/** The emulator takes a millisecond to begin with a part, however small. */
const partCharacters = 64 * 1024
/** The whole screen is looked at after so many characters, and when nothing more is there to show. */
const screenCharacters = 4096
/** Whatever a program prints in one go is looked at with so many rows above and below it. */
const nearbyRows = 4
/** Rows above the screen that are looked at together with it. */
const shownScrollbackRows = 20

/** What only moves, erases or sets. */
const control = /\u001b\[[0-?]*[ -/]*[@-ln-~]|\u001b[^[]|[\u0000-\u001a\u001c-\u001f\u0080-\u009f]/
/** What prints; colors change nothing that counts. */
const print = /\u001b\[[\d;:]*m|[^\u0000-\u001f\u0080-\u009f]/
const run = new RegExp(`(?:${control.source})+(?:${print.source})*|(?:${print.source})+|[^]`, 'g')

/**
 * Programs draw texts in pieces, with moves and colors between them, which no search of the output finds. An emulator puts
 * them together. It is looked at after each piece, because the next may erase it.
 */
export function watchScreen(size: TerminalSize, redactor: Redactor): ScreenWatch {
  const pending: (string | TerminalSize)[] = []
  let emulator: Promise<Emulator> | undefined
  let problem: string | undefined
  let working: Promise<void> | undefined
  let isOver = false

  const look = (rows: readonly ScreenRow[]): void => {
    const text = readScreen(rows)
    if (redactor.redact(text) !== text) problem ??= 'its screen showed a secret in pieces'
  }

  async function work(): Promise<void> {
    try {
      const opened = await (emulator ??= openEmulator(size))
      while (pending.length > 0 && !isOver && problem === undefined) {
        const [next = ''] = pending.splice(0, 1)
        if (typeof next === 'string') await showAll(opened, next)
        else resizeTo(opened, next)
      }
    } catch (error: unknown) {
      problem ??= messageOf(error)
    }
    working = undefined
  }

  function resizeTo(opened: Emulator, { cols, rows }: TerminalSize): void {
    opened.resize(cols, rows)
    look(screenOf(opened))
  }

  async function showAll(opened: Emulator, output: string): Promise<void> {
    for (let start = 0; start < output.length && !isOver && problem === undefined; start += partCharacters) {
      await showPart(opened, output.slice(start, start + partCharacters))
      look(screenOf(opened))
    }
  }

  async function showPart(opened: Emulator, part: string): Promise<void> {
    let before = rowOfCursor(opened)
    let unseen = 0
    for (const piece of part.match(run) ?? []) {
      // Called right after the piece was printed, before the next one is.
      opened.write(piece, () => {
        const row = rowOfCursor(opened)
        look(rowsOf(opened, Math.min(before, row) - nearbyRows, Math.max(before, row) + nearbyRows))
        before = row
        unseen += piece.length
        if (unseen < screenCharacters) return
        unseen = 0
        look(screenOf(opened))
      })
    }
    await new Promise<void>((resolve) => opened.write('', resolve))
  }

  const take = (change: string | TerminalSize): void => {
    if (isOver || problem !== undefined) return
    const last = pending.length - 1
    // Many small pieces that wait would be slow to take off one by one.
    if (typeof change === 'string' && typeof pending[last] === 'string') pending[last] += change
    else pending.push(change)
    working ??= work()
  }

  return {
    show: take,
    resize: take,
    get problem() {
      return problem
    },
    async end(limitMs) {
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)))
      await Promise.race([working, limit])
      clearTimeout(timer)
      if (working !== undefined) problem ??= 'its screen could not be searched for secrets in time'
      isOver = true
      emulator?.then((opened) => opened.dispose()).catch(() => undefined)
    },
  }
}

function screenOf(emulator: Emulator): readonly ScreenRow[] {
  const { baseY } = emulator.buffer.active
  return rowsOf(emulator, baseY - shownScrollbackRows, baseY + emulator.rows - 1)
}

function rowOfCursor({ buffer: { active } }: Emulator): number {
  return active.baseY + active.cursorY
}

function rowsOf({ buffer: { active } }: Emulator, from: number, to: number): readonly ScreenRow[] {
  const rows: ScreenRow[] = []
  for (let index = Math.max(0, from); index <= to; index += 1) {
    const line = active.getLine(index)
    if (line === undefined) break
    const isFull = active.getLine(index + 1)?.isWrapped === true
    rows.push({ text: line.translateToString(!isFull), isWrapped: line.isWrapped })
  }
  return rows
}

/** A row of a screen. */
interface ScreenRow {
  /** Up to the last column where the next row goes on with it, else without blanks at its end. */
  readonly text: string
  /** The terminal had to begin it, because the row above was full. */
  readonly isWrapped: boolean
}

/**
 * All that can be read on these rows, in one text: lines as the terminal wrapped them, and as a program may have, between
 * borders, in columns or indented.
 */
function readScreen(rows: readonly ScreenRow[]): string {
  const wrappedByProgram = [inFrame(rows), ...inColumns(rows)].filter((pieces) => pieces.length > 0)
  // A program may break a line at a blank, which is gone then.
  return [wrappedByTerminal(rows), ...wrappedByProgram.flatMap((pieces) => [pieces.join(''), pieces.join(' ')])].join(
    '\n',
  )
}

function wrappedByTerminal(rows: readonly ScreenRow[]): string {
  return rows.map(({ text, isWrapped }) => (isWrapped ? text : `\n${text}`)).join('')
}

/** Lines and blocks that frames, rules and scroll bars are drawn of. */
const border = /[|\u2500-\u259f]/
const borders = /[|\u2500-\u259f]+/g

/** A text may hold what looks like a border, so only those at the ends are taken away. */
function inFrame(rows: readonly ScreenRow[]): readonly string[] {
  return rows.map(({ text }) => (border.test(text) ? withoutEdges(text) : text.trim())).filter(isNotEmpty)
}

function withoutEdges(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isEdge(text.charAt(start))) start += 1
  while (start < end && isEdge(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isEdge(character: string): boolean {
  return border.test(character) || character.trim() === ''
}

function isNotEmpty(text: string): boolean {
  return text !== ''
}

function inColumns(rows: readonly ScreenRow[]): readonly (readonly string[])[] {
  if (!rows.some(({ text }) => border.test(text))) return []
  const columns: string[][] = []
  for (const { text } of rows) {
    for (const [index, cell] of text.split(borders).entries()) (columns[index] ??= []).push(cell.trim())
  }
  return columns.map((cells) => cells.filter(isNotEmpty))
}
