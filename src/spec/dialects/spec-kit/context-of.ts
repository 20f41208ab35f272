import type { SpecLines } from '../../spec.ts'
import type { Story } from './read-stories.ts'

interface SpecText {
  readonly lines: readonly string[]
  /** Line of the first that is no front matter. */
  readonly first: number
}

/** What tells of a story's scenarios: all lines of a document but the scenarios, and but the other stories. */
export function contextOf(story: Story, stories: readonly Story[], { lines, first }: SpecText): readonly SpecLines[] {
  const others = [...stories.filter((one) => one !== story), ...story.scenarios]
  const found: SpecLines[] = []
  let from = first
  for (const { line, endLine } of [...others.toSorted((one, other) => one.line - other.line), after(lines)]) {
    const context = trimmed(from, line - 1, lines)
    if (context !== undefined) found.push(context)
    from = Math.max(from, endLine + 1)
  }
  return found
}

function after({ length }: readonly string[]): SpecLines {
  return { line: length + 1, endLine: length + 1 }
}

/** Without blank lines and rules around it; `undefined` where nothing else is there. */
function trimmed(from: number, to: number, lines: readonly string[]): SpecLines | undefined {
  const written = lines
    .slice(from - 1, Math.max(from - 1, to))
    .map((text) => !/^\s*(?:-{3,}|\*{3,}|_{3,})?\s*$/.test(text))
  const first = written.indexOf(true)
  if (first === -1) return undefined
  return { line: from + first, endLine: from + written.lastIndexOf(true) }
}
