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

/** For long work in a process that has more to do. */
export interface Turns {
  /** Awaited between two pieces: it lets others have their turn now and then, and costs next to nothing in between. */
  pass(): Promise<void> | undefined
  /** How long the work has taken so far without the turns of others, in milliseconds. */
  readonly spentMs: number
}

/** @param sliceMs how long the work may go on without a turn of others, in milliseconds */
export function createTurns(sliceMs: number): Turns {
  let startMs = performance.now()
  let earlierMs = 0
  const sliceSoFarMs = (): number => performance.now() - startMs
  return {
    pass() {
      if (sliceSoFarMs() < sliceMs) return undefined
      earlierMs += sliceSoFarMs()
      return new Promise((resolve) => {
        setImmediate(() => {
          startMs = performance.now()
          resolve()
        })
      })
    },
    get spentMs() {
      return earlierMs + sliceSoFarMs()
    },
  }
}
