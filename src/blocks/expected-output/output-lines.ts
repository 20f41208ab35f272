import { joinLoneBytes } from '../../system/text/byte-text.ts'

/** Matches ECMA-48 sequences: control strings (OSC), control sequences (CSI) and short escape sequences. */
const escapeSequence =
  // oxlint-disable-next-line no-control-regex -- they start with control characters
  /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-~]/g

export interface Output {
  readonly lines: readonly string[]
  readonly isUnfinished: boolean
}

/** Splits output into lines as a terminal shows them: without ANSI escape sequences, with CRLF as LF. */
export function readOutput(output: string): Output {
  const text = joinLoneBytes(output.replace(escapeSequence, '')).replaceAll('\r\n', '\n')
  if (text === '') return { lines: [], isUnfinished: false }
  const isUnfinished = !text.endsWith('\n')
  return { lines: (isUnfinished ? text : text.slice(0, -1)).split('\n'), isUnfinished }
}

/** The lines of an `output`, `stdout` or `stderr` fence. An empty fence expects no output. */
export function expectedLines(fence: string): readonly string[] {
  return fence === '' ? [] : fence.split('\n')
}

export interface LineProblem {
  readonly index: number
  readonly message: string
}

export const noEol = ' (no-eol)'

/** Matches ` (no-eol)` at the end of a line, and the mistake ` (no-eol?)`. */
export const anyNoEol = / \(no-eol([?*+]?)\)$/

export function withoutNoEol(line: string): string {
  return line.endsWith(noEol) ? line.slice(0, -noEol.length) : line
}
