import remarkFrontmatter from 'remark-frontmatter'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

/** Front matter as it stands in the text. */
export interface FoundFrontMatter {
  /** What stands between the `---` lines. */
  readonly yaml: string
  /** How many lines it takes with its `---` lines; 0 where there is none. */
  readonly lineCount: number
}

const processor = unified().use(remarkParse).use(remarkFrontmatter, ['yaml']).freeze()

/**
 * The front matter at the beginning of a text; `undefined` where it is not closed. Only the text up to its end is
 * parsed with front matter switched on: an attempt that fails disturbs the blocks after it.
 */
export function findFrontMatter(text: string): FoundFrontMatter | undefined {
  if (!/^---[ \t]*(?:\n|$)/.test(text)) return { yaml: '', lineCount: 0 }
  const head = /^---[^]*?\n---[ \t]*(?=\n|$)/.exec(text)?.[0]
  const node = head === undefined ? undefined : processor.parse(head).children[0]
  if (node?.type !== 'yaml') return undefined
  return { yaml: node.value, lineCount: node.position?.end.line ?? 0 }
}
