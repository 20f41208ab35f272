/** The text of a file as it is on each system: without a byte order mark, lines ended by a line feed. */
export function unixText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}
