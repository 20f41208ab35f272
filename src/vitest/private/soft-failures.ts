import type { RunnerTestCase } from 'vitest'

// Relies on how assertions record themselves in a test. Checked with Vitest 4.1.12 and 5.1.1.

export interface SoftFailures {
  /** A stand-in for the test, for `createExpect`. It keeps failures and promises away from the real test. */
  readonly test: RunnerTestCase
  /** Waits for assertions on promises that the code did not await, and returns all errors. */
  settle(): Promise<readonly unknown[]>
}

/** Collects soft failures of a block. If Vitest handled them, they would show secrets, and the step would pass. */
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
  /** Whether the code awaits the promise, and so gets its error. */
  isAwaited: boolean
}

/** Vitest pushes assertions on promises to this list and removes them when they settle. */
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
    // `then` is called if the code awaits the assertion.
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
