import type { Place } from '../spec.ts'
import type { Nodes } from 'mdast'

/** The place right after `text`, which begins at `place`. */
export function advance({ line, column }: Place, text: string): Place {
  const lastBreak = text.lastIndexOf('\n')
  if (lastBreak === -1) return { line, column: column + text.length }
  return { line: line + text.split('\n').length - 1, column: text.length - lastBreak }
}

/** Where a node of the syntax tree begins. */
export function placeOf(node: Nodes): Place {
  return { line: node.position?.start.line ?? 1, column: node.position?.start.column ?? 1 }
}
