import { closest, distance } from 'fastest-levenshtein'

/** Returns ` Did you mean …?` to append to a sentence; empty if no known name is similar. */
export function didYouMean(given: string, known: readonly string[]): string {
  const name = closestName(given, known)
  return name === undefined ? '' : ` Did you mean \`${name}\`?`
}

/** Whether words with the same first letter differ only by typos or letter order. @param allowed number of typos */
export function isNearly(given: string, word: string, allowed = Math.floor(word.length / 4)): boolean {
  const lettersOf = (text: string): string => [...text].toSorted().join('')
  const isNear = distance(given, word) <= allowed || (allowed > 0 && lettersOf(given) === lettersOf(word))
  return given.charAt(0) === word.charAt(0) && isNear
}

export function closestName(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const found = closest(given.toLowerCase(), known)
  // At least 2, because two swapped letters are a distance of 2.
  const allowed = given.length < 3 ? 1 : Math.max(2, Math.floor(given.length / 3))
  return distance(given.toLowerCase(), found.toLowerCase()) <= allowed ? found : undefined
}
