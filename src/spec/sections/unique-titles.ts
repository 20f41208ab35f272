export interface TitleList {
  /** Makes a title unique and takes note of it. */
  add(title: string): string
}

/**
 * Makes titles unique under one parent: the second of two equal ones gets ` (2)`.
 *
 * @param known titles that are there already
 */
export function createTitleList(known: readonly string[] = []): TitleList {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  const titles: TitleList = {
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
  for (const title of known) titles.add(title)
  return titles
}
