/** A word for bash that stands for exactly `text`, on one line. */
export function quoteForBash(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `$'${escaped}'`
}
