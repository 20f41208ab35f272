import type { Nodes } from 'mdast'
import type { Requirement } from '../../spec.ts'
import type { HiddenText } from './hide-code.ts'

/** An item such as `- **FR-003**: The cart MUST …`. */
interface ListedRequirement extends Requirement {
  readonly endLine: number
}

const startsWithId =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[[ xX]\]\s+)?(?:\*\*|__)?((?:FR|NFR|SC)-\d+[a-z]?)(?![\p{L}\p{N}_-])/u
/** The number, and what stands between it and the text. */
const untilText = /^.*?-\d+[a-z]?(?:\*\*|__)?(?:\s*\([^)]*\))?\s*[:–—-]?(?:\*\*|__)?\s*/

/** The functional requirements and success criteria that a feature spec lists, in its order; of equal numbers the first. */
export function readListed(nodes: readonly Nodes[], { prose }: HiddenText): readonly ListedRequirement[] {
  const found = new Map<string, ListedRequirement>()
  const open = [...nodes].toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { position } = node
    const said = prose.slice(position?.start.offset, position?.end.offset)
    const isItem = node.type === 'listItem' || node.type === 'paragraph'
    const id = isItem ? startsWithId.exec(said)?.[1] : undefined
    if (id !== undefined && position !== undefined) {
      const { start, end } = position
      const text = said
        .replace(untilText, '')
        .replace(/\*\*|__|`/g, '')
        .replace(/\s+/g, ' ')
        .trim()
      if (!found.has(id)) found.set(id, { title: id, text, line: start.line, column: start.column, endLine: end.line })
    } else if (node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote') {
      open.push(...node.children.toReversed())
    }
  }
  return [...found.values()]
}
