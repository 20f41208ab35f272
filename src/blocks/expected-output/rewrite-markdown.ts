import type { RewrittenLine } from './write-expected.ts'

export interface Rewrite {
  /** Line of the fence. New lines get its indent. */
  readonly fenceLine: number
  /** The first line to replace, counted from 1. New lines are inserted before this line. */
  readonly line: number
  /** The old lines without the indent of the fence. */
  readonly before: readonly string[]
  /** In order: indexes of old lines that stay, and new lines. */
  readonly after: readonly RewrittenLine[]
}

/** Returns the markdown with new lines in its fences. Every other byte stays the same. */
export function rewriteSource(source: string, rewrites: readonly Rewrite[]): string {
  const lines = splitLines(source)
  const parts: (readonly string[])[] = []
  let next = 0
  for (const rewrite of rewrites.toSorted((one, other) => one.line - other.line)) {
    parts.push(lines.slice(next, rewrite.line - 1), newLines(rewrite, lines))
    next = rewrite.line - 1 + replacedCount(rewrite, lines)
  }
  return [...parts, lines.slice(next)].flat().join('')
}

/** Number of the first old line that differs from the file, because of an edit or of values from a table. */
export function findForeignLine(source: string, { line, before, after }: Rewrite): number | undefined {
  const lines = splitLines(source)
  const stays = new Set(after)
  const index = before.findIndex((text, at) => !stays.has(at) && (lines[line - 1 + at] ?? '').trim() !== text.trim())
  return index === -1 ? undefined : line + index
}

function splitLines(source: string): readonly string[] {
  return source.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
}

/** Number of replaced lines. A fence with one blank line counts as empty, but the blank line is replaced. */
function replacedCount({ line, before }: Rewrite, lines: readonly string[]): number {
  return before.length === 0 && lines[line - 1]?.trim() === '' ? 1 : before.length
}

function newLines({ fenceLine, line, after }: Rewrite, lines: readonly string[]): readonly string[] {
  const fence = lines[fenceLine - 1] ?? ''
  const indent = indentOf(fence)
  const [end = '\n'] = /[\r\n]+$/.exec(fence) ?? []
  return after.map((text) => {
    if (typeof text === 'number') return lines[line - 1 + text] ?? ''
    return `${text === '' ? '' : indent}${text}${end}`
  })
}

/** Indent for new lines: blanks in place of the text before the fence's marker, which may be the bullet of a list. */
function indentOf(fence: string): string {
  const [before = ''] = /^.*?(?=```|~~~)/.exec(fence.replace('\uFEFF', '')) ?? []
  return before.replace(/[^\t]/g, ' ')
}
