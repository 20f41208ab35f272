/** Front matter as it stands in the text. */
export interface FoundFrontMatter {
  /** What stands between the `---` lines. */
  readonly yaml: string
  /** How many lines it takes with its `---` lines; 0 where there is none. */
  readonly lineCount: number
}

const fence = /^---[ \t]*$/

/**
 * The front matter at the beginning of a text; `undefined` where it is not closed. As `remark-frontmatter` finds it; a
 * parser of markdown for these lines would take as long as for the steps below.
 */
export function findFrontMatter(text: string): FoundFrontMatter | undefined {
  const lines = text.split('\n')
  if (!fence.test(lines[0] ?? '')) return { yaml: '', lineCount: 0 }
  const end = lines.findIndex((line, index) => index > 0 && fence.test(line))
  return end === -1 ? undefined : { yaml: lines.slice(1, end).join('\n'), lineCount: end + 1 }
}
