import type { RunnerTestCase } from 'vitest'

// Relies on how assertions record themselves in a test. Checked with Vitest 4.1.12 and 5.1.1.

/** Collects soft failures of a block. If Vitest handled them, they would show secrets, and the step would pass. */
export class SoftFailures {
  /** A stand-in for the test, for `createExpect`. It keeps failures and promises away from the real test. */
  readonly test: RunnerTestCase
  readonly #own: { readonly result: RunnerTestCase['result'] | undefined; readonly promises: AssertedPromises }

  constructor(test: RunnerTestCase) {
    const own = { result: test.result && { ...test.result, errors: [] }, promises: new AssertedPromises() }
    const holderOf = (key: PropertyKey): object => (Object.hasOwn(own, key) ? own : test)
    this.#own = own
    this.test = new Proxy(test, {
      get: (_test, key) => Reflect.get(holderOf(key), key),
      set: (_test, key, value) => Reflect.set(holderOf(key), key, value),
    })
  }

  /** Waits for assertions on promises that the code did not await, and returns all errors. */
  async settle(): Promise<readonly unknown[]> {
    const late = await this.#own.promises.errors()
    return [...(this.#own.result?.errors ?? []), ...late]
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
