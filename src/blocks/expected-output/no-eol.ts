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
