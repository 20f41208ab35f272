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
