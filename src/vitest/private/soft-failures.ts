import type { RunnerTestCase } from 'vitest'

// How assertions record themselves in a test. Seen in Vitest 4.1.12 and 5.1.1.

export interface SoftFailures {
  /** `expect` is made for this object: the test without its result and its promises. */
  readonly test: RunnerTestCase
  /** Waits for assertions on promises that the code did not await; the errors of all. */
  settle(): Promise<readonly unknown[]>
}

/** Reported by Vitest itself, failed assertions of a block would show secrets, and the step would pass. */
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
  readonly over: Promise<readonly unknown[]>
  /** The code awaits the promise and gets its error. */
  isAwaited: boolean
}

/** Vitest adds assertions on promises to this list and removes settled ones. */
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
    // `expect(…)` calls it where the code awaits.
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
