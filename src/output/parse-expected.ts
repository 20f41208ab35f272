import type { LineProblem } from './line-problem.ts'
import { type LinePattern, parseLine } from './parse-line.ts'

/** Expected output, read. */
export interface Expected {
  /** One for each line. */
  readonly patterns: readonly LinePattern[]
  /** ` (no-eol)`: the last line must not end with a newline. Without it both is right. */
  readonly isUnfinished: boolean
  readonly problems: readonly ExpectedProblem[]
}

export interface ExpectedProblem extends LineProblem {
  /** Index of the line, from 0. */
  readonly line: number
}

const noEol = ' (no-eol)'

const anyNoEol = / \(no-eol([?*+]?)\)$/

/** Reads the lines of expected output. */
export function parseExpected(lines: readonly string[]): Expected {
  const patterns: LinePattern[] = []
  const problems: ExpectedProblem[] = []
  for (const [line, text] of lines.entries()) {
    const isLast = line === lines.length - 1
    const parsed = parseLine(isLast ? withoutNoEol(text) : text)
    patterns.push(parsed.pattern)
    problems.push(...[...findMisplacedNoEol(text, isLast), ...parsed.problems].map((found) => ({ ...found, line })))
  }
  return { patterns, isUnfinished: lines.at(-1)?.endsWith(noEol) === true, problems }
}

/** A line without the mark that it ends without a newline. */
export function withoutNoEol(line: string): string {
  return line.endsWith(noEol) ? line.slice(0, -noEol.length) : line
}

/** Whether the line ends with what is or looks like that mark. */
export function hasNoEol(line: string): boolean {
  return anyNoEol.test(line)
}

/** Marks a line that ends without a newline. */
export function withNoEol(line: string): string {
  return line + noEol
}

function findMisplacedNoEol(line: string, isLast: boolean): readonly LineProblem[] {
  const match = anyNoEol.exec(isLast ? withoutNoEol(line) : line)
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
