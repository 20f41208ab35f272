export function quoteRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Quotes a word for `sh` if necessary. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word)
}

/** Quotes a word for bash, on one line. Restores the invalid bytes that `textOfBytes` encoded. */
export function quoteForBash(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `$'${escaped.replace(/[\uDC80-\uDCFF]/gu, (byte) => `\\x${byte.charCodeAt(0).toString(16).slice(2)}`)}'`
}

/** Splits a simple command into words; only quotes and backslashes are special. `undefined` if a quote stays open. */
export function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const [piece, blank, single, double, one, open] of text.matchAll(pieces)) {
    if (open !== undefined) return undefined
    if (blank === undefined) word = `${word ?? ''}${single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? one ?? piece}`
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}

const pieces = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(['"\\])|[^\s'"\\]+/g
