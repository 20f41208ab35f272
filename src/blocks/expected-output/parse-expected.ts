import { type LineProblem, anyNoEol, withoutNoEol } from './output-lines.ts'
import { type LinePattern, type ParsedLine, parseLine } from './parse-line.ts'
import { parseScrutLine } from './parse-scrut-line.ts'

/** Expected output, read. */
export interface Expected {
  /** One for each line. */
  readonly patterns: readonly LinePattern[]
  /**
   * How the last line of output must end: ` (no-eol)` is `unfinished`, in scrut a line without a mark is `finished`.
   * Absent: both is right.
   */
  readonly end?: 'unfinished' | 'finished'
  readonly problems: readonly ExpectedProblem[]
}

export interface ExpectedProblem extends LineProblem {
  /** Index of the line, from 0. */
  readonly line: number
}

/** Reads the lines of expected output. */
export function parseExpected(lines: readonly string[], form: OutputForm = 'transcript'): Expected {
  const patterns: LinePattern[] = []
  const problems: ExpectedProblem[] = []
  let end: Expected['end']
  for (const [line, text] of lines.entries()) {
    const isLast = line === lines.length - 1
    const bare = isLast ? withoutNoEol(text) : text
    const isUnfinished = bare !== text
    // In scrut the mark makes all before it literal.
    const isLiteral = form === 'scrut' && isUnfinished
    const parsed = parseFormLine(isLiteral ? text : bare, form)
    const found = [...(isLiteral ? [] : findMisplacedNoEol(bare)), ...parsed.problems]
    patterns.push(parsed.pattern)
    problems.push(...found.map((problem) => ({ ...problem, line })))
    if (isLast) end = isUnfinished ? 'unfinished' : parsed.needsNewline && 'finished'
  }
  return { patterns, problems, ...(end && { end }) }
}

/** Reads one line as it is meant where it stands. */
export function parseFormLine(line: string, form: OutputForm): ParsedLine {
  return form === 'scrut' ? parseScrutLine(line) : parseLine(line)
}

function findMisplacedNoEol(line: string): readonly LineProblem[] {
  const match = anyNoEol.exec(line)
  if (match === null) return []
  const wrong = match[1] === '' ? 'stands once, at the end of the last line' : `takes no \`${match[1]}\``
  return [
    {
      index: match.index + 1,
      message: `\`(no-eol)\` ${wrong}. Write \`(equal)\` behind it where it is part of the output.`,
    },
  ]
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

/**
 * Where expected output stands: below its command, in a fence of its own, or in a test case of scrut, where lines end
 * in the marks of scrut.
 */
export type OutputForm = 'transcript' | 'fence' | 'scrut'
