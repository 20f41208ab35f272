import { distance } from 'fastest-levenshtein'

/** ` Did you mean …?`; empty if no known name is similar. */
export function didYouMean(given: string, known: readonly string[]): string {
  const name = closestName(given, known)
  return name === undefined ? '' : ` Did you mean \`${name}\`?`
}

/** Whether two words have the same first letter and differ by at most `allowed` typos, see `typosIn`. */
export function isNearly(given: string, word: string, allowed = Math.floor(word.length / 4)): boolean {
  return given.charAt(0) === word.charAt(0) && typosIn(given, word) <= allowed
}

/** The name with the fewest typos (at most one in four letters), or the first with a word that begins with `given`. */
function closestName(given: string, known: readonly string[]): string | undefined {
  const word = hyphenated(given)
  const typosOf = (name: string): number => typosIn(word, hyphenated(name))
  const isNear = (name: string): boolean => typosOf(name) <= Math.max(1, Math.floor(hyphenated(name).length / 4))
  const [nearest] = known.filter(isNear).toSorted((a, b) => typosOf(a) - typosOf(b))
  if (word.length < 4) return word.length < 2 ? undefined : nearest
  return nearest ?? known.find((name) => `-${hyphenated(name)}`.includes(`-${word}`))
}

/** The number of typos. The same letters in another order count as one typo. */
function typosIn(given: string, word: string): number {
  const lettersOf = (text: string): string => [...text].toSorted().join('')
  return given !== word && lettersOf(given) === lettersOf(word) ? 1 : distance(given, word)
}

/** Writes a name in lower case with hyphens: `--minAssurance` becomes `min-assurance`. */
function hyphenated(name: string): string {
  return name
    .replace(/^-+/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
}
