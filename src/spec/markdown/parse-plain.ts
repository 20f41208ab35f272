import type { Code, Heading, Paragraph, RootContent } from 'mdast'

import type { Piece } from './fold-fences.ts'

// Nothing that inline markup is made of: `!`, `&`, `*`, `<`, `[`, `\`, `_`, the backtick, `|`, `~`, a second `#`.
const plain = String.raw`\p{L}(?:[\p{L}\p{N} ,.:;?()'"/=+%$@-]*[\p{L}\p{N},.:;?()'"/=+%$@-])?`
const heading = new RegExp(`^(#{1,6}) (${plain})$`, 'u')
const paragraphLine = new RegExp(`^${plain}$`, 'u')
const opening = /^(?:`{3,}|~{3,})(?:([\w-]+)(?: ([\w=-]+(?: [\w=-]+)*))?)?$/
const closing = /^(?:`+|~+)$/

/**
 * The tree of a piece of headings, fences and paragraphs without any markup inside, as the parser makes it; `undefined`
 * where there is anything else. Many specs are nothing but these, and of each the parser would make a hundred events.
 */
export function parsePlain({ text, folds, end }: Piece): RootContent[] | undefined {
  const lines = text.split('\n')
  const folded = new Set(folds.map(({ pieceLine }) => pieceLine))
  const nodes: RootContent[] = []
  let paragraph: Paragraph | undefined
  let offset = 0
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const place = { line: index + 1, offset, text: line }
    offset += line.length + 1
    if (paragraph !== undefined && paragraphLine.test(line)) {
      extend(paragraph, place)
      continue
    }
    paragraph = undefined
    if (line === '') continue
    const isLast = end !== undefined && index === lines.length - 1
    if (folded.has(index)) {
      index += 1
      const close = { line: index + 1, offset, text: lines[index] ?? '' }
      offset += close.text.length + 1
      if (!closing.test(close.text)) return undefined
      const code = codeOf(place, close)
      if (code === undefined) return undefined
      nodes.push(code)
    } else {
      const node = headingOf(place) ?? (isLast ? codeOf(place, place) : undefined) ?? paragraphOf(place)
      if (node === undefined) return undefined
      if (node.type === 'paragraph') paragraph = node
      nodes.push(node)
    }
  }
  return nodes
}

/** A line of the piece, counted from 1. */
interface Line {
  readonly line: number
  readonly offset: number
  readonly text: string
}

function headingOf(line: Line): Heading | undefined {
  const [, marker = '', value] = heading.exec(line.text) ?? []
  if (value === undefined) return undefined
  const children = [{ type: 'text' as const, value, position: spanOf(line, line, marker.length + 1) }]
  const depth = marker.length as Heading['depth'] // 1 to 6
  return { type: 'heading', depth, children, position: spanOf(line, line) }
}

/** Its content is put back later. */
function codeOf(open: Line, close: Line): Code | undefined {
  const match = opening.exec(open.text)
  if (match === null) return undefined
  return { type: 'code', lang: match[1] ?? null, meta: match[2] ?? null, value: '', position: spanOf(open, close) }
}

function paragraphOf(line: Line): Paragraph | undefined {
  if (!paragraphLine.test(line.text)) return undefined
  const children = [{ type: 'text' as const, value: line.text, position: spanOf(line, line) }]
  return { type: 'paragraph', children, position: spanOf(line, line) }
}

function extend(paragraph: Paragraph, line: Line): void {
  const { end } = spanOf(line, line)
  for (const child of paragraph.children) {
    if (child.type === 'text') child.value += `\n${line.text}`
    if (child.position) child.position.end = { ...end }
  }
  if (paragraph.position) paragraph.position.end = end
}

/** From a column of one line to the end of another. Columns count from 1. */
function spanOf(from: Line, to: Line, skipped = 0): NonNullable<Code['position']> {
  return {
    start: { line: from.line, column: skipped + 1, offset: from.offset + skipped },
    end: { line: to.line, column: to.text.length + 1, offset: to.offset + to.text.length },
  }
}
