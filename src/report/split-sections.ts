import { startLineOf, type Tree, type TreeElement, type TreeNode } from './markdown-tree.ts'

/** A heading and what stands below it, up to the next one. */
export interface Section {
  /** Absent for what stands above the first heading. */
  readonly heading?: TreeElement
  /** First line. */
  readonly line: number
  readonly content: readonly TreeNode[]
}

/** Takes a document apart at its headings. */
export function splitSections({ children }: Tree): readonly Section[] {
  const starts = children.flatMap((node, index) => (isHeading(node) ? [index] : []))
  const above = children.slice(0, starts[0])
  const sections = starts.flatMap((start, index): Section[] => {
    const heading = children[start]
    if (heading?.type !== 'element') return []
    return [{ heading, line: startLineOf(heading) ?? 1, content: children.slice(start + 1, starts[index + 1]) }]
  })
  return [{ line: 1, content: above }, ...sections]
}

/** Level of a heading, 1 to 6. */
export function levelOf({ tagName }: TreeElement): number {
  return Number(tagName.slice(1))
}

function isHeading(node: TreeNode): boolean {
  return node.type === 'element' && /^h[1-6]$/.test(node.tagName)
}
