import { joinLoneBytes } from '../../system/text/byte-text.ts'

/** ECMA-48: control strings (OSC), control sequences (CSI) and the short escape sequences. */
const escapeSequence =
  // oxlint-disable-next-line no-control-regex -- they start with control characters
  /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-~]/g

/** What a program printed, as it is compared. */
export interface Output {
  readonly lines: readonly string[]
  /** The last line does not end with a newline. */
  readonly isUnfinished: boolean
}

/** What is compared as it was printed. */
export interface OutputReading {
  readonly keepsAnsi?: boolean
  readonly keepsCrlf?: boolean
}

/** Removes ANSI escape sequences and makes CRLF LF, as it looks in a terminal. */
export function readOutput(output: string, { keepsAnsi = false, keepsCrlf = false }: OutputReading = {}): Output {
  const plain = keepsAnsi ? output : joinLoneBytes(output.replace(escapeSequence, ''))
  const text = keepsCrlf ? plain : plain.replaceAll('\r\n', '\n')
  if (text === '') return { lines: [], isUnfinished: false }
  const isUnfinished = !text.endsWith('\n')
  return { lines: (isUnfinished ? text : text.slice(0, -1)).split('\n'), isUnfinished }
}

/** The lines of a program's output. */
export function outputLines(output: string): readonly string[] {
  return readOutput(output).lines
}

/** The lines of an `output`, `stdout` or `stderr` fence. An empty one expects no output. */
export function expectedLines(fence: string): readonly string[] {
  return fence === '' ? [] : fence.replaceAll('\r\n', '\n').split('\n')
}

/** Code of a block in a file with CRLF line ends, as a shell takes it. */
export function unixLines(code: string): string {
  return code.replace(/\r(?=\n|$)/g, '')
}

/** Something wrong with one line of expected output. */
export interface LineProblem {
  /** Index of the character in the line, from 0. */
  readonly index: number
  /** What is wrong and what to do about it. */
  readonly message: string
}

const noEol = ' (no-eol)'

/** The mark or what looks like it, at the end of a line; its quantifier. */
export const anyNoEol = / \(no-eol([?*+]?)\)$/

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
