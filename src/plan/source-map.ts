/** Where a generated line comes from. Lines and columns count from 0. */
export interface LineOrigin {
  readonly line: number
  readonly column: number
  /** How many columns from there on are mapped one by one; with 0 the whole line leads to its first column. */
  readonly length: number
}

/** A source map with one source. */
export interface SourceMap {
  readonly version: 3
  readonly sources: string[]
  readonly sourcesContent: string[]
  readonly names: string[]
  readonly mappings: string
}

/**
 * The source map of code whose every line comes from a line of one file, or from nowhere.
 *
 * @param source path and text of that file
 */
export function sourceMap(
  source: { readonly file: string; readonly text: string },
  origins: readonly (LineOrigin | undefined)[],
): SourceMap {
  let [line, column] = [0, 0]
  const mappings = origins.map((origin) => {
    if (origin === undefined) return ''
    const columns = Array.from({ length: origin.length + 1 }, (_, index) => origin.column + index)
    return columns
      .map((next, index) => {
        // Each field is a difference: generated column, source, line and column.
        const segment = [index === 0 ? 0 : 1, 0, origin.line - line, next - column].map(toVlq).join('')
        line = origin.line
        column = next
        return segment
      })
      .join(',')
  })
  return { version: 3, sources: [source.file], sourcesContent: [source.text], names: [], mappings: mappings.join(';') }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 digits of 5 bits, the lowest first; the sixth bit says that more follow. The lowest bit of all is the sign. */
function toVlq(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const bits = rest & 0b11111
    rest >>>= 5
    text += digits[rest > 0 ? bits | 0b100000 : bits]
  } while (rest > 0)
  return text
}
