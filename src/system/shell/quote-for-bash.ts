/** A word for bash that stands for exactly `text`, on one line; with bytes that are no UTF-8 as `textOfBytes` keeps them. */
export function quoteForBash(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `$'${escaped.replace(/[\uDC80-\uDCFF]/gu, (byte) => `\\x${byte.charCodeAt(0).toString(16).slice(2)}`)}'`
}
