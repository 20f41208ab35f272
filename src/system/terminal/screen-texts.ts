/** A row of a screen. */
export interface ScreenRow {
  /** Up to the last column where the next row goes on with it, else without blanks at its end. */
  readonly text: string
  /** The terminal had to begin it, because the row above was full. */
  readonly isWrapped: boolean
}

/**
 * All that can be read on these rows, in one text: lines as the terminal wrapped them, and as a program may have, between
 * borders, in columns or indented.
 */
export function readScreen(rows: readonly ScreenRow[]): string {
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
