/** A text for a shell, as one word: between single quotes nothing means anything, and a single quote cannot stand there. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A word for `sh` and whoever reads words as it does; in quotes only where it needs them. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word)
}
