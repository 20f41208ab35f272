import { startLineOf, textOf, type Tree, type TreeElement, type TreeNode } from './markdown-tree.ts'

/** A heading and what stands below it, up to the next one. */
export interface Section {
  /** Absent for what stands above the first heading, and for a title that is told elsewhere. */
  readonly heading?: TreeElement
  /** How many headings it stands below. */
  readonly depth: number
  /** First line. */
  readonly line: number
  readonly content: readonly TreeNode[]
}

/**
 * Takes a document apart at its headings.
 *
 * @param isTold whether a heading of this text, at this line, is to be left out where nothing stands above it
 */
export function splitSections({ children }: Tree, isTold: (text: string, line: number) => boolean): readonly Section[] {
  const sections: Section[] = []
  const above: number[] = []
  let section: Section & { content: TreeNode[] } = { depth: 0, line: 1, content: [] }
  for (const node of children) {
    if (node.type !== 'element' || !/^h[1-6]$/.test(node.tagName)) {
      section.content.push(node)
      continue
    }
    const line = startLineOf(node) ?? 1
    const isFirst = sections.length === 0 && section.content.every(({ type }) => type === 'text')
    sections.push(section)
    if (isFirst && isTold(textOf(node).trim(), line)) {
      section = { depth: 0, line, content: [] }
      continue
    }
    const level = Number(node.tagName.slice(1))
    while ((above.at(-1) ?? 0) >= level) above.pop()
    section = { heading: node, depth: above.length, line, content: [] }
    above.push(level)
  }
  return [...sections, section]
}
