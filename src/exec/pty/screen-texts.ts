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
  return [wrappedByTerminal(rows), wrappedInFrame(rows), ...wrappedInColumns(rows)].join('\n\n')
}

function wrappedByTerminal(rows: readonly ScreenRow[]): string {
  return rows.map(({ text, isWrapped }) => (isWrapped ? text : `\n${text}`)).join('')
}

/** Lines and blocks that frames, rules and scroll bars are drawn of. */
const border = /[|\u2500-\u259f]/
const borders = /[|\u2500-\u259f]+/g

/** A text may hold what looks like a border, so only those at the ends are taken away. */
function wrappedInFrame(rows: readonly ScreenRow[]): string {
  return rows.map(({ text }) => (border.test(text) ? withoutEdges(text) : text.trim())).join('')
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

function wrappedInColumns(rows: readonly ScreenRow[]): readonly string[] {
  if (!rows.some(({ text }) => border.test(text))) return []
  const columns: string[] = []
  for (const { text } of rows) {
    for (const [index, cell] of text.split(borders).entries()) columns[index] = (columns[index] ?? '') + cell.trim()
  }
  return columns
}
