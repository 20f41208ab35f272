/** What ends at a place of a text: the longest pattern that does, and whose it is. */
export interface Automaton {
  /** State after reading one more UTF-16 unit in a state; the first state is 0. */
  next(state: number, unit: number): number
  /** Whether a unit begins a pattern: in state 0 all others can be skipped. 1 or 0, by unit. */
  readonly begins: Uint8Array
  /** By state: length of the longest text that ends here and begins a pattern. */
  readonly depth: Int32Array
  /** By state: length of the longest pattern that ends here, 0 if none does. */
  readonly matchLength: Int32Array
  /** By state: owner of that pattern. */
  readonly matchOwner: Int32Array
}

/** A text to find, with a number that says whose it is. */
export interface Pattern {
  readonly text: string
  readonly owner: number
}

/**
 * Finds many texts in one pass, in time linear in the text whatever text and patterns are: the automaton of
 * Aho and Corasick, "Efficient string matching" (1975). Memory is linear in the patterns.
 */
export function createAutomaton(patterns: readonly Pattern[]): Automaton {
  const trie = createTrie(patterns)
  const fail = new Int32Array(trie.size)
  const next = (state: number, unit: number): number => {
    for (let at = state; at !== 0; at = at32(fail, at)) {
      const child = trie.child(at, unit)
      if (child !== 0) return child
    }
    return trie.child(0, unit)
  }
  const { parent, unitOf, depth, matchLength, matchOwner } = trie
  for (const state of trie.byDepth()) {
    const above = at32(parent, state)
    const link = above === 0 ? 0 : next(at32(fail, above), at32(unitOf, state))
    fail[state] = link
    if (matchLength[state] === 0) {
      matchLength[state] = at32(matchLength, link)
      matchOwner[state] = at32(matchOwner, link)
    }
  }
  return { next, begins: trie.begins, depth, matchLength, matchOwner }
}

interface Trie {
  readonly size: number
  child(state: number, unit: number): number
  /** All states but the first, shorter ones first. */
  byDepth(): readonly number[]
  readonly begins: Uint8Array
  readonly parent: Int32Array
  readonly unitOf: Int32Array
  readonly depth: Int32Array
  readonly matchLength: Int32Array
  readonly matchOwner: Int32Array
}

/** Children are linked lists, and a table for state 0: hardly any other state has more than two. */
function createTrie(patterns: readonly Pattern[]): Trie {
  const capacity = patterns.reduce((sum, { text }) => sum + text.length, 1)
  const table = (): Int32Array => new Int32Array(capacity)
  const [parent, unitOf, depth, matchLength, matchOwner] = [table(), table(), table(), table(), table()]
  const [firstChild, sibling] = [table(), table()]
  const roots = new Int32Array(0x1_0000)
  const begins = new Uint8Array(0x1_0000)
  const child = (state: number, unit: number): number => {
    if (state === 0) return at32(roots, unit)
    let found = at32(firstChild, state)
    while (found !== 0 && unitOf[found] !== unit) found = at32(sibling, found)
    return found
  }
  let size = 1
  const add = (state: number, unit: number): number => {
    const added = size++
    parent[added] = state
    unitOf[added] = unit
    depth[added] = at32(depth, state) + 1
    sibling[added] = at32(firstChild, state)
    firstChild[state] = added
    if (state !== 0) return added
    roots[unit] = added
    begins[unit] = 1
    return added
  }
  for (const { text, owner } of patterns) {
    let state = 0
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      state = child(state, unit) || add(state, unit)
    }
    // The same text may be a form of two secrets: the first keeps it.
    if (matchLength[state] === 0) matchOwner[state] = owner
    matchLength[state] = text.length
  }
  const states = Array.from({ length: size - 1 }, (_, index) => index + 1)
  return {
    size,
    child,
    byDepth: () => states.sort((a, b) => at32(depth, a) - at32(depth, b)),
    begins,
    parent,
    unitOf,
    depth,
    matchLength,
    matchOwner,
  }
}

/** An element that is known to be there. */
function at32(table: Int32Array, index: number): number {
  return table[index] ?? 0
}
