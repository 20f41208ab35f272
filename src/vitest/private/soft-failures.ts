import type { RunnerTestCase } from 'vitest'

// How assertions record themselves in a test. Seen in Vitest 4.1.12 and 5.1.1.

/** Soft assertions, and those on promises, record themselves in a test. */
export interface SoftFailures {
  /** What to make `expect` for: the test, but for its result and its promises. */
  readonly test: RunnerTestCase
  /** Waits for assertions on promises that the code did not wait for; the errors of all. */
  settle(): Promise<readonly unknown[]>
}

/**
 * Keeps what assertions of a block record apart from the test. Reported by Vitest itself, they would hold secrets, and
 * the verdict of the step would say that it passed. It holds for what a block records that nobody waits for any more, too.
 */
export function openSoftFailures(test: RunnerTestCase): SoftFailures {
  let result = test.result && { ...test.result, errors: [] }
  const promises = new AssertedPromises()
  return {
    test: new Proxy(test, {
      get(target, key) {
        if (key === 'promises') return promises
        return key === 'result' ? result : Reflect.get(target, key)
      },
      set(target, key, value) {
        if (key !== 'result') return Reflect.set(target, key, value)
        result = value
        return true
      },
    }),
    async settle() {
      const late = await promises.errors()
      return [...(result?.errors ?? []), ...late]
    },
  }
}

interface Asserted {
  /** Fulfilled with the error in a list, once it is over. */
  readonly over: Promise<readonly unknown[]>
  /** The code waits for it, and meets its error. */
  isAwaited: boolean
}

/** Vitest puts assertions on promises into this list, and takes those out that are over: its own test ends at once. */
class AssertedPromises extends Array<Promise<unknown>> {
  readonly #all: Asserted[] = []

  override push(...promises: Promise<unknown>[]): number {
    for (const promise of promises) this.#follow(promise)
    return super.push(...promises)
  }

  #follow(promise: Promise<unknown>): void {
    const over = promise.then(
      () => [],
      (error: unknown) => [error],
    )
    const asserted: Asserted = { over, isAwaited: false }
    this.#all.push(asserted)
    const then = promise.then.bind(promise)
    // What `expect` gives back calls it where somebody waits.
    // oxlint-disable-next-line unicorn/no-thenable -- it is a promise already
    Object.defineProperty(promise, 'then', {
      value: (...handlers: Parameters<typeof then>) => {
        asserted.isAwaited = true
        return then(...handlers)
      },
    })
  }

  async errors(): Promise<readonly unknown[]> {
    const left = this.#all.filter(({ isAwaited }) => !isAwaited)
    return (await Promise.all(left.map(({ over }) => over))).flat()
  }
}
