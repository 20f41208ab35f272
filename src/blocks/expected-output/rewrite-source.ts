import type { RewrittenLine } from './rewrite-lines.ts'

/** Other lines in a fence of a markdown file. */
export interface Rewrite {
  /** Line of the fence; what is new is indented like it. */
  readonly fenceLine: number
  /** Line of the first line that is replaced, or before which something is put; all count from 1. */
  readonly line: number
  /** The lines as they were read, without what the fence is nested in. */
  readonly before: readonly string[]
  /** What comes in their place: indexes of those that stay, in order, and new lines. */
  readonly after: readonly RewrittenLine[]
}

/** The text of a markdown file with other lines in its fences. Every other byte stays. */
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

/** The first line to be replaced that is another one in the file: it was changed, or values were put into it. */
export function findForeignLine(source: string, { line, before, after }: Rewrite): number | undefined {
  const lines = splitLines(source)
  const stays = new Set(after)
  const index = before.findIndex((text, at) => !stays.has(at) && (lines[line - 1 + at] ?? '').trim() !== text.trim())
  return index === -1 ? undefined : line + index
}

/** With their ends: whatever ends a line in markdown. */
function splitLines(source: string): readonly string[] {
  return source.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
}

/** A fence with one blank line reads as empty; the line goes. */
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

/** What stands before the marker of a fence, as blanks: it may be the bullet of a list. */
function indentOf(fence: string): string {
  const [before = ''] = /^.*?(?=```|~~~)/.exec(fence.replace('\uFEFF', '')) ?? []
  return before.replace(/[^\t]/g, ' ')
}
