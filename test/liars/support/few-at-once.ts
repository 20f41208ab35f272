/** Does something with all items, a few at a time, and gives what came of it in their order. */
export async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  width: number,
  act: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await act(item)
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}
