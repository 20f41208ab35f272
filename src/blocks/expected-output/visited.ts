/** Places that were visited, a bit for each. */
export interface Visited {
  /** False where the place was visited before. */
  add(place: Place): boolean
  count(): number
}

export interface Place {
  readonly at: number
  readonly line: number
  readonly bindings: { readonly key: string }
}

export function createVisited(lineCount: number): Visited {
  const words = new Map<string, Map<number, number>>()
  let count = 0
  return {
    add({ at, line, bindings: { key } }) {
      const place = at * lineCount + line
      const [word, bit] = [Math.floor(place / 32), 1 << (place % 32)]
      const known = words.get(key) ?? new Map<number, number>()
      words.set(key, known)
      const bits = known.get(word) ?? 0
      if ((bits & bit) !== 0) return false
      known.set(word, bits | bit)
      count += 1
      return true
    },
    count: () => count,
  }
}
