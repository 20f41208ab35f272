/** A change of one line, by what is done at which line; `at` may be larger than the text. */
export interface LineEdit {
  readonly at: number
  readonly kind: string
  /** A line to put in, for those that put one in. */
  readonly piece: string
}

/** A text with its lines changed as somebody's slips would change them. */
export function changeLines(text: string, edits: readonly LineEdit[]): string {
  const lines = text.split('\n')
  for (const { at, kind, piece } of edits) {
    const index = at % Math.max(1, lines.length)
    const line = lines[index] ?? ''
    if (kind === 'drop') lines.splice(index, 1)
    else if (kind === 'double') lines.splice(index, 0, line)
    else if (kind === 'insert') lines.splice(index, 0, piece)
    else if (kind === 'replace') lines.splice(index, 1, piece)
    else if (kind === 'indent') lines.splice(index, 1, `  ${line}`)
    else if (kind === 'outdent') lines.splice(index, 1, line.trimStart())
    else if (kind === 'deeper') lines.splice(index, 1, `#${line}`)
    else if (kind === 'swap') lines.splice(index, 2, lines[index + 1] ?? '', line)
    else if (kind === 'blank') lines.splice(index, 0, '')
    else if (kind === 'bullet') lines.splice(index, 1, line.replace(/^\d+\./, '-'))
    else throw new TypeError(`There is no change \`${kind}\`.`)
  }
  return lines.join('\n')
}
