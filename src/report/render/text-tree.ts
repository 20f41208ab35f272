import { element, text, type Tree, type TreeElement } from './markdown-tree.ts'

interface TitledLine {
  readonly line?: number
  /** The last one is its own. */
  readonly titles: readonly string[]
}

/** A spec that is no markdown as a tree: its lines as they are, and a heading at the line of each step. */
export function treeOfText(source: string, steps: readonly TitledLine[]): Tree {
  const lines = source.split(/\r\n|\r|\n/)
  const headings = new Map(steps.map(({ line = 1, titles }) => [line, titles.at(-1) ?? '']))
  const places = [...headings.keys()].toSorted((one, other) => one - other)
  const parts = places.map((line, index) => [
    at(line, element('h2', [], [text(headings.get(line) ?? '')])),
    ...codeOf(lines.slice(line, (places[index + 1] ?? Number.POSITIVE_INFINITY) - 1)),
  ])
  return {
    type: 'root',
    children: [...codeOf(lines.slice(0, (places[0] ?? Number.POSITIVE_INFINITY) - 1)), ...parts.flat()],
  }
}

/** Without the blank lines around it; nothing where there is no other. */
function codeOf(lines: readonly string[]): readonly TreeElement[] {
  const code = lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (code === '') return []
  const block = element('pre', [], [element('code', [], [text(code)])])
  block.properties.tabIndex = 0
  return [element('div', ['block'], [block])]
}

function at(line: number, node: TreeElement): TreeElement {
  const point = { line, column: 1 }
  return { ...node, position: { start: point, end: point } }
}
