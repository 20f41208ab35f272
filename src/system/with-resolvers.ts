/** As of Node.js 22. */
export interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: Error): void
}

/** A promise and what settles it. Whoever waits gets its error; that nobody waits is none. */
export function withResolvers<T>(): PromiseWithResolvers<T> {
  let found: Omit<PromiseWithResolvers<T>, 'promise'> = { resolve() {}, reject() {} }
  const promise = new Promise<T>((resolve, reject) => {
    found = { resolve, reject }
  })
  promise.catch(() => undefined)
  return { promise, ...found }
}
