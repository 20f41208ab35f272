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
