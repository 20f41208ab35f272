/**
 * For long work in a process that has more to do: awaited between two pieces, it lets others have their turn each
 * `sliceMs` milliseconds, and costs next to nothing in between.
 */
export function createTurns(sliceMs: number): () => Promise<void> | undefined {
  let startMs = performance.now()
  return () => {
    if (performance.now() - startMs < sliceMs) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        startMs = performance.now()
        resolve()
      })
    })
  }
}
