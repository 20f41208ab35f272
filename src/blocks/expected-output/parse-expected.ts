import { type LineProblem, anyNoEol, withoutNoEol } from './output-lines.ts'
import { type LinePattern, parseLine } from './parse-line.ts'

export interface Expected {
  readonly patterns: readonly LinePattern[]
  /** Whether the last line of output must end without a newline: ` (no-eol)`. */
  readonly isUnfinished: boolean
  readonly problems: readonly ExpectedProblem[]
}

export interface ExpectedProblem extends LineProblem {
  readonly line: number
}

export function parseExpected(lines: readonly string[]): Expected {
  const patterns: LinePattern[] = []
  const problems: ExpectedProblem[] = []
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

/** Names that lines capture and recall, in order. */
export interface NameUse {
  readonly kind: 'capture' | 'recall'
  readonly name: string
  /** Indexes of the line and of the character in it, from 0. */
  readonly line: number
  readonly index: number
}

export function namesIn({ patterns }: Expected): readonly NameUse[] {
  return patterns.flatMap((pattern, line) =>
    pattern.kind === 'template'
      ? pattern.parts.flatMap((part) =>
          part.kind === 'text' ? [] : [{ kind: part.kind, name: part.name, line, index: part.index }],
        )
      : [],
  )
}

/** Where expected output stands: below its command, or in a fence of its own. */
export type OutputForm = 'transcript' | 'fence'
