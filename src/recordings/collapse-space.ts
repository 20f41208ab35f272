/** Text as quotes are compared: without colours, white space as one blank. */
export function collapseSpace(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours begin with one
  return text
    .replace(/\u001B\[[\d;]*m/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
