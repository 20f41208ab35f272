import type { Nodes } from 'mdast'

import type { Place } from '../spec.ts'

/** Where a node of the syntax tree begins. */
export function placeOf(node: Nodes): Place {
  return { line: node.position?.start.line ?? 1, column: node.position?.start.column ?? 1 }
}
