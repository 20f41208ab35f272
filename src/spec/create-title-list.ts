/** Makes titles unique under one parent: the second of two equal ones gets ` (2)`. */
export function createTitleList(): { add(title: string): string } {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return {
    add(title) {
      const name = title === '' ? 'Untitled' : title
      let count = counts.get(name) ?? 1
      let unique = name
      while (taken.has(unique)) unique = `${name} (${++count})`
      counts.set(name, count)
      taken.add(unique)
      return unique
    },
  }
}
