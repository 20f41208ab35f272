/** Number of items to work on at once. More would only wait, because Node.js has few threads for files. */
const maxAtOnce = 32

export async function inParallel<Item, Result>(
  items: readonly Item[],
  { run, signal }: { readonly run: (item: Item) => Promise<Result>; readonly signal?: AbortSignal | undefined },
): Promise<readonly Result[]> {
  // Loaded here because most workers never need it.
  const { default: pMap } = await import('p-map')
  return await pMap(items, run, { signal, concurrency: maxAtOnce })
}

/** Lets code wait until something becomes true. Whoever changes the state calls `notify`. */
export class Condition {
  readonly #looks = new Set<() => void>()

  notify(): void {
    for (const look of this.#looks) look()
  }

  /** Calls `find` now and after each `notify`, until it returns a value. Returns `undefined` after `limitMs`. */
  waitFor<T>(find: () => T | undefined): Promise<T>
  waitFor<T>(find: () => T | undefined, limitMs: number): Promise<T | undefined>
  waitFor<T>(find: () => T | undefined, limitMs?: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const settle = (found: T | undefined): void => {
        clearTimeout(timer)
        this.#looks.delete(look)
        resolve(found)
      }
      const look = (): void => {
        const found = find()
        if (found !== undefined) settle(found)
      }
      const timer = limitMs === undefined ? undefined : setTimeout(() => settle(undefined), limitMs)
      this.#looks.add(look)
      look()
    })
  }
}

/** Limits how many holders run at once. They get slots in the order in which they asked. */
export class Slots {
  #free: number
  readonly #changed = new Condition()

  constructor(count: number) {
    this.#free = count
  }

  get isFull(): boolean {
    return this.#free === 0
  }

  /** Waits for a slot. The returned function frees the slot. If `signal` aborts first, no slot is taken. */
  async take(signal: AbortSignal): Promise<() => void> {
    const look = (): void => this.#changed.notify()
    signal.addEventListener('abort', look)
    const giveBack = await this.#changed.waitFor(() => {
      if (this.#free > 0) return this.#takeFree()
      return signal.aborted ? () => {} : undefined
    })
    signal.removeEventListener('abort', look)
    return giveBack
  }

  #takeFree(): () => void {
    this.#free -= 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#free += 1
      this.#changed.notify()
    }
  }
}

/** The longest delay that `setTimeout` accepts: a longer one fires at once. */
export const maxTimerMs = 2_147_483_647

/** Like `AbortSignal.timeout`, whose signal `AbortSignal.any` can lose (nodejs/node#57736). Keeps no process alive. */
export function limitTime(
  limitMs: number,
  ...others: readonly AbortSignal[]
): Disposable & { readonly signal: AbortSignal } {
  const over = new AbortController()
  const end = (): void => over.abort(new DOMException(`It was not over after ${limitMs} ms.`, 'TimeoutError'))
  const timer = setTimeout(end, Math.min(limitMs, maxTimerMs))
  timer.unref()
  return {
    signal: others.length === 0 ? over.signal : AbortSignal.any([over.signal, ...others]),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

export interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: Error): void
}

/** Like `Promise.withResolvers`, except that a rejection is never reported as unhandled. */
export function withResolvers<T>(): PromiseWithResolvers<T> {
  let found: Omit<PromiseWithResolvers<T>, 'promise'> = { resolve() {}, reject() {} }
  const promise = new Promise<T>((resolve, reject) => {
    found = { resolve, reject }
  })
  promise.catch(() => undefined)
  return { promise, ...found }
}
