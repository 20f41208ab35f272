/** Files that are worked on at once: more only wait for Node's threads. */
const maxAtOnce = 32

/**
 * Runs a function on each item, a bounded number at once, and gives the results in the order of the items. At the
 * first rejection nothing new is started.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  { run, signal }: { readonly run: (item: Item) => Promise<Result>; readonly signal?: AbortSignal | undefined },
): Promise<readonly Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  let isStopped = false
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (isStopped) return
      try {
        signal?.throwIfAborted()
        results[index] = await run(item)
      } catch (error: unknown) {
        isStopped = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, items.length) }, work))
  return results
}
