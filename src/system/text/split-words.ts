/**
 * The words of one simple command, as a shell splits them: quotes and backslashes mean something, and nothing else.
 * `undefined` where a quote is not closed.
 */
export function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const [piece, blank, single, double, one, open] of text.matchAll(pieces)) {
    if (open !== undefined) return undefined
    if (blank === undefined) word = `${word ?? ''}${single ?? (double && undoDouble(double)) ?? one ?? piece}`
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}

const pieces = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(['"\\])|[^\s'"\\]+/g

/** Between double quotes a backslash means something before these alone. */
function undoDouble(text: string): string {
  return text.replace(/\\([\\"$`])/g, '$1')
}
