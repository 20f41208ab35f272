import { type LineProblem, anyNoEol, withoutNoEol } from './output-lines.ts'
import { type LinePattern, parseLine } from './parse-line.ts'
import type { TemplatePart } from './parse-template.ts'

export interface Expected {
  readonly patterns: readonly LinePattern[]
  /** Whether the last line has ` (no-eol)`: the output must end without a newline. */
  readonly isUnfinished: boolean
  readonly problems: readonly (LineProblem & { readonly line: number })[]
}

export function parseExpected(lines: readonly string[]): Expected {
  const patterns: LinePattern[] = []
  const problems: Expected['problems'][number][] = []
  let isUnfinished = false
  for (const [line, text] of lines.entries()) {
    const isLast = line === lines.length - 1
    const bare = isLast ? withoutNoEol(text) : text
    isUnfinished = bare !== text
    const parsed = parseLine(bare)
    const found = [...findMisplacedNoEol(bare), ...parsed.problems]
    patterns.push(parsed.pattern)
    problems.push(...found.map((problem) => ({ ...problem, line })))
  }
  return { patterns, problems, isUnfinished }
}

function findMisplacedNoEol(line: string): readonly LineProblem[] {
  const match = anyNoEol.exec(line)
  if (match === null) return []
  const wrong = match[1] === '' ? 'stands once, at the end of the last line' : `takes no \`${match[1]}\``
  const message = `\`(no-eol)\` ${wrong}. Write \`(equal)\` behind it where it is part of the output.`
  return [{ index: match.index + 1, message }]
}

type NameUse = Exclude<TemplatePart, { kind: 'text' }> & { readonly line: number }

/** Names that lines capture and recall, in order. Indexes of lines and characters start at 0. */
export function nameUses({ patterns }: Pick<Expected, 'patterns'>): readonly NameUse[] {
  return patterns.flatMap((pattern, line) => {
    const parts = pattern.kind === 'template' ? pattern.parts : []
    return parts.flatMap((part) => (part.kind === 'text' ? [] : [{ ...part, line }]))
  })
}

/** Where expected output is written: below its command, or in its own fence. */
export type OutputForm = 'transcript' | 'fence'
