import type { ItemClauses } from './read-clauses.ts'

const maxLength = 80

/**
 * A title for a scenario, of its own words: what stands before its clauses, else what happens, else what comes of it. A
 * long one ends at a word, with `…`.
 */
export function shortTitle(parts: readonly ItemClauses[]): string {
  const clauses = parts.flatMap((part) => part.clauses)
  const textOf = (word: string): string => clauses.find((clause) => clause.word === word)?.text ?? ''
  const [whole = ''] = parts.map(({ lead }) => lead)
  return cut((whole || textOf('when') || textOf('then') || textOf('given')).replaceAll('`', ''))
}

function cut(text: string): string {
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  const atWord = /^(.*\S)\s/s.exec(start)?.[1] ?? start
  return `${(/\s/.test(text[maxLength] ?? '') ? start : atWord).replace(/[\s,;:.]+$/, '').replace(/[\uD800-\uDBFF]$/, '')}…`
}
