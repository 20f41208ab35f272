/** Some lines of a spec for the markdown parser, with the content of fences at the first column left out. */
export interface Piece {
  readonly text: string
  /** Index in the spec of each line of `text`. */
  readonly lines: readonly number[]
  readonly folds: readonly Fold[]
  /** Index of the line at which the next piece begins, which is also the last line of this one; none for the last. */
  readonly end: number | undefined
}

/** A fence whose content was left out. */
export interface Fold {
  /** Index of the opening line, in the piece and in the spec. The closing line follows it in the piece. */
  readonly pieceLine: number
  readonly openLine: number
  readonly closeLine: number
}

/** Where a piece begins, and what is known from earlier tries. */
export interface PieceRequest {
  readonly from: number
  /** Characters of the piece at least, where the text goes on. */
  readonly minLength: number
  /** First line that a fold may begin at, because fences before it are none. */
  readonly foldsFrom: number
}

/**
 * Takes the lines of one piece. It goes up to a line that begins a block of its own unless a fence or raw HTML is
 * open: the parser has to confirm this, and that the fences are fences.
 */
export function foldFences(lines: readonly string[], { from, minLength, foldsFrom }: PieceRequest): Piece {
  const kept: number[] = []
  const folds: Fold[] = []
  const closings = createClosings(lines)
  let length = 0
  let line = from
  for (; line < lines.length; line += 1) {
    const text = lines[line] ?? ''
    const isEnd = length >= minLength && beginsBlock(text, lines[line - 1])
    kept.push(line)
    if (isEnd) return { text: textOf(lines, kept), lines: kept, folds, end: line }
    const closeLine = line < foldsFrom ? undefined : closings.find(line)
    length += text.length + 1
    if (closeLine === undefined) continue
    folds.push({ pieceLine: kept.length - 1, openLine: line, closeLine })
    kept.push(closeLine)
    length += (lines[closeLine] ?? '').length + 1
    line = closeLine
  }
  return { text: textOf(lines, kept), lines: kept, folds, end: undefined }
}

// CommonMark 4.5: three or more; backticks allow no backtick in the info string.
const opening = /^(?:(`{3,})[^`]*|(~{3,}).*)$/

/** A heading or fence at the first column ends every list, quote, table and paragraph; a paragraph needs a blank line. */
function beginsBlock(line: string, before: string | undefined): boolean {
  if (/^#{1,6}(?:[ \t]|$)/.test(line) || opening.test(line)) return true
  return before?.trim() === '' && /^\p{L}/u.test(line)
}

function createClosings(lines: readonly string[]): { find(openLine: number): number | undefined } {
  const neverClosed = new Map<string, number>()
  return {
    find(openLine) {
      const match = opening.exec(lines[openLine] ?? '')
      const marker = match?.[1] ?? match?.[2]
      if (marker === undefined) return undefined
      const [character = ''] = marker
      // Looking to the end of the text again for every fence that is not closed would take quadratic time.
      if (marker.length >= (neverClosed.get(character) ?? Infinity)) return undefined
      for (let line = openLine + 1; line < lines.length; line += 1) {
        if (isClosing(lines[line] ?? '', marker)) return line
      }
      neverClosed.set(character, marker.length)
      return undefined
    },
  }
}

function isClosing(line: string, marker: string): boolean {
  const [whole = ''] = /^ {0,3}/.exec(line) ?? []
  return line.startsWith(marker, whole.length) && closing.test(line)
}

const closing = /^ {0,3}(?:`+|~+)[ \t]*$/

function textOf(lines: readonly string[], kept: readonly number[]): string {
  return kept.map((line) => lines[line]).join('\n')
}
