/**
 * A title as a string literal. Static collectors read the raw text between the quotes, so the quote is one
 * that the title does not contain, and only what would break the literal is escaped.
 */
export function quoteTitle(title: string): string {
  const quote = ['"', "'", '`'].find((mark) => !title.includes(mark) && !(mark === '`' && title.includes('${'))) ?? '"'
  const escaped = title
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(
      /[\p{Cc}\u2028\u2029]/gu,
      (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
    )
  return `${quote}${escaped}${quote}`
}
