/** A text for a shell, as one word: between single quotes nothing means anything, and a single quote cannot stand there. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A word for `sh` and whoever reads words as it does; in quotes only where it needs them. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word)
}

/** A word for bash that stands for exactly `text`, on one line; with bytes that are no UTF-8 as `textOfBytes` keeps them. */
export function quoteForBash(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `$'${escaped.replace(/[\uDC80-\uDCFF]/gu, (byte) => `\\x${byte.charCodeAt(0).toString(16).slice(2)}`)}'`
}
