export function quoteRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A word for `sh`, in quotes only where it needs them. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word)
}

/** A word for bash, on one line, with bytes that are no UTF-8 as `textOfBytes` keeps them. */
export function quoteForBash(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `$'${escaped.replace(/[\uDC80-\uDCFF]/gu, (byte) => `\\x${byte.charCodeAt(0).toString(16).slice(2)}`)}'`
}

/** The words of one simple command: only quotes and backslashes mean something. `undefined` where a quote is not closed. */
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

/**
 * The rule that would permit the first part of a line that is not harmless. A variable before the program belongs to it:
 * `Bash(CI=1 npm *)`.
 */
export function bashRule(command: string): string | undefined {
  const part = command
    .split(/&&|\|\||[;|\n]/)
    .map((piece) => piece.trim())
    .find((piece) => piece !== '' && !harmless.test(piece))
  if (part === undefined) return undefined
  const start = /^(?:[A-Za-z_][A-Za-z0-9_]*=[^\s"'$`]*\s+)*[^\s"'$`()<>&]+/.exec(part)?.[0]
  return start === undefined ? undefined : `Bash(${start} *)`
}

/** What Claude Code runs without asking, as far as it commonly stands before the part that matters. */
const harmless = /^(cd|echo|cat|ls|pwd|true|head|tail|wc|grep|sleep)(\s|$)/
