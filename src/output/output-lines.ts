/** ECMA-48: control strings (OSC), control sequences (CSI) and the short escape sequences. */
const escapeSequence =
  // oxlint-disable-next-line no-control-regex -- they start with control characters
  /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-~]/g

/**
 * The lines of a program's output as they are compared: ANSI escape sequences removed, CRLF as LF. Whether the last
 * line ends with a newline makes no difference, as in the transcript of a terminal.
 */
export function outputLines(output: string): readonly string[] {
  const text = output.replace(escapeSequence, '').replaceAll('\r\n', '\n')
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** The lines of an `output`, `stdout` or `stderr` fence. An empty one expects no output. */
export function expectedLines(fence: string): readonly string[] {
  return fence === '' ? [] : fence.replaceAll('\r\n', '\n').split('\n')
}

/** Code of a block in a file with CRLF line ends, as a shell takes it. */
export function unixLines(code: string): string {
  return code.replace(/\r(?=\n|$)/g, '')
}
