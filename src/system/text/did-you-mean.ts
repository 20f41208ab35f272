import { closest, distance } from 'fastest-levenshtein'

/** ` Did you mean …?`, to be put behind a sentence; empty where no known name is close. */
export function didYouMean(given: string, known: readonly string[]): string {
  const name = closestName(given, known)
  return name === undefined ? '' : ` Did you mean \`${name}\`?`
}

/** Also with letters in another order; the first one is right. @param allowed wrong letters. Default: a quarter */
export function isNearly(given: string, word: string, allowed = Math.floor(word.length / 4)): boolean {
  const lettersOf = (text: string): string => [...text].toSorted().join('')
  const isNear = distance(given, word) <= allowed || (allowed > 0 && lettersOf(given) === lettersOf(word))
  return given.charAt(0) === word.charAt(0) && isNear
}

export function closestName(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const found = closest(given.toLowerCase(), known)
  // Two letters that changed places are a distance of 2.
  const allowed = given.length < 3 ? 1 : Math.max(2, Math.floor(given.length / 3))
  return distance(given.toLowerCase(), found.toLowerCase()) <= allowed ? found : undefined
}
