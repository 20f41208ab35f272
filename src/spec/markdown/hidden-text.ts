import type { Nodes } from 'mdast'

type Hidden = 'code' | 'comment' | 'html' | 'inlineCode' | 'linkReference' | 'table' | 'yaml'
type Range = readonly [start: number, end: number]

/** Replaces each character of hidden nodes with `sign`, so that offsets stay the same. `from`: offset of `text` in the document. */
export function hideIn(
  text: string,
  nodes: readonly Nodes[],
  {
    types,
    from = 0,
    sign = ' ',
  }: { readonly types: readonly Hidden[]; readonly from?: number; readonly sign?: string },
): string {
  const hidden: Range[] = []
  const open = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const [start, end] = [(node.position?.start.offset ?? from) - from, (node.position?.end.offset ?? from) - from]
    if (types.some((type) => type === node?.type)) hidden.push(...rangesOf(node, text, [start, end]))
    else if (node.type === 'html' && types.includes('comment')) hidden.push(...commentsIn(text, [start, end]))
    else if ('children' in node) for (const child of node.children) open.push(child)
  }
  return blank(text, hidden, sign)
}

const fenceOfSteps = /^\s*(?:@\S.*\n\s*)*(?:(?:scenario|example|background)\b[^\n]*:|(?:given|when|then)\b)/i

/** Matches a heading of another tool's document. In a fence, it was probably caught by the end of another fence. */
const headingOfTests = /^#{2,6}\s+(?:requirement|scenario|user story)\b.*\S/im

/** Returns the ranges to hide. Tests of other tools in a fence and a clause word in backticks stay visible. */
function rangesOf(node: Nodes, text: string, [start, end]: Range): readonly Range[] {
  if (node.type === 'inlineCode' && /^(?:given|when|then|and|but)$/i.test(node.value)) return []
  // Markdown reads an indented fence below a paragraph as inline code. Such a fence stays visible.
  if (node.type === 'inlineCode' && /^`{3}.*\n/.test(text.slice(start, end))) return []
  if (node.type !== 'code' || text.startsWith(' ', start)) return [[start, end]]
  const isQuoted =
    /^(?:|markdown|mdx?|te?xt|plain(?:text)?)$/i.test(node.lang ?? '') || !headingOfTests.test(node.value)
  if (isQuoted && !fenceOfSteps.test(node.value)) return [[start, end]]
  const firstEnd = text.indexOf('\n', start)
  const lastStart = text.lastIndexOf('\n', end - 1)
  return firstEnd === -1
    ? [[start, end]]
    : [
        [start, firstEnd],
        [Math.max(firstEnd, lastStart), end],
      ]
}

function commentsIn(text: string, [start, end]: Range): readonly Range[] {
  return [...text.slice(start, end).matchAll(/<!--[^]*?(?:-->|$)/g)].map(({ 0: whole, index }) => [
    start + index,
    start + index + whole.length,
  ])
}

function blank(text: string, ranges: readonly Range[], sign: string): string {
  const parts: string[] = []
  let at = 0
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start < at) continue
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\n]/g, sign))
    at = end
  }
  return [...parts, text.slice(at)].join('')
}

/** Empties the lines inside of fences that have at least `minLength` marks and are closed. */
export function hideFences(text: string, minLength: number): string {
  const lines = text.split('\n')
  const marks = lines.map((line) => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '')
  const closers = marks.flatMap((mark, at) => (mark !== '' && lines[at]?.trim() === mark ? [at] : []))
  for (let at = 0; at < lines.length; at += 1) {
    const mark = marks[at] ?? ''
    const end =
      mark.length < minLength ? undefined : closers.find((closer) => closer > at && marks[closer]?.startsWith(mark))
    if (end === undefined) continue
    lines.fill('', at + 1, end + 1)
    at = end
  }
  return lines.join('\n')
}
