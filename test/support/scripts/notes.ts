/** What a scripted model found out, kept in its own words: pages are taken out of a conversation, words stay. */
export interface Notes {
  /** Finds something out; where that was noted before, gives what was noted. */
  recall<T>(find: () => T): T
  /** The new notes, to be said with the next action. */
  takeNew(): string
}

/** Notes of a conversation in which the model said this. A script has to recall the same things in the same order each time. */
export function readNotes(said: string): Notes {
  const known = [...said.matchAll(/^Note \d+: (.*)$/gm)].map(([, json = '']) => json)
  const fresh: string[] = []
  let count = 0
  return {
    recall<T>(find: () => T): T {
      count += 1
      const json = known[count - 1]
      if (json !== undefined) return JSON.parse(json) as T // the same script wrote it
      const found = find()
      fresh.push(`Note ${count}: ${JSON.stringify(found)}`)
      return found
    },
    takeNew: () => fresh.splice(0).join('\n'),
  }
}
