import { closest, distance } from 'fastest-levenshtein'

/** The known name that somebody is likely to have meant, or `undefined` where none is close. */
export function closestName(given: string, known: readonly string[]): string | undefined {
  const found = known.length === 0 ? undefined : closest(given.toLowerCase(), known)
  const allowed = Math.max(1, Math.floor(given.length / 3))
  return found !== undefined && distance(given.toLowerCase(), found.toLowerCase()) <= allowed ? found : undefined
}
