/** Says how far a search may jump where no pattern has begun yet. */
export interface Skip {
  /** Length of the shortest pattern: the window that is looked at. */
  readonly window: number
  /** By `pairKey` of the last two units of a window: how many places on a pattern can begin at the earliest. */
  readonly distances: Uint8Array
}

/**
 * Most text is nothing like a secret: two units that no pattern has near its beginning rule out all places before
 * them. After Wu and Manber, "A fast algorithm for multi-pattern searching" (1994).
 */
export function createSkip(patterns: readonly string[]): Skip {
  const shortest = Math.min(...patterns.map(({ length }) => length), maxWindow)
  const distances = new Uint8Array(0x1_0000).fill(Math.max(0, shortest - 1))
  for (const pattern of patterns) {
    for (let index = 0; index < shortest - 1; index += 1) {
      const key = pairKey(pattern.charCodeAt(index), pattern.charCodeAt(index + 1))
      distances[key] = Math.min(distances[key] ?? 0, shortest - 2 - index)
    }
  }
  return { window: shortest, distances }
}

/** Distances have to fit into a byte, and longer windows rule out less. */
const maxWindow = 32

/** Different pairs may share a key: then the jump is the shorter one. */
export function pairKey(first: number, second: number): number {
  return ((first << 8) ^ second) & 0xffff
}
