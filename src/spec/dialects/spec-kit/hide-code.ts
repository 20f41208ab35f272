import type { Nodes } from 'mdast'

/** The text of a document without what nobody reads as text, at the same offsets. */
export interface HiddenText {
  /** Blank where comments, blocks of code and tables are. */
  readonly prose: string
  /** Blank where code between words is, too: no word in it means anything. */
  readonly words: string
}

/** @param nodes whose positions are offsets in `text` */
export function hideCode(text: string, nodes: readonly Nodes[]): HiddenText {
  const blocks: Nodes[] = []
  const spans: Nodes[] = []
  const open = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'code' || node.type === 'html' || node.type === 'table') blocks.push(node)
    else if (node.type === 'inlineCode') spans.push(node)
    else if ('children' in node) for (const child of node.children) open.push(child)
  }
  const prose = blank(text, blocks)
  return { prose, words: blank(prose, spans) }
}

function blank(text: string, nodes: readonly Nodes[]): string {
  const parts: string[] = []
  let at = 0
  for (const { position } of nodes.toSorted((one, other) => startOf(one) - startOf(other))) {
    const start = position?.start.offset ?? at
    const end = position?.end.offset ?? start
    if (start < at) continue
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\n]/g, ' '))
    at = end
  }
  return [...parts, text.slice(at)].join('')
}

function startOf({ position }: Nodes): number {
  return position?.start.offset ?? 0
}
