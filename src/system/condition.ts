/** A condition variable: those who wait look again whenever something has changed. */
export class Condition {
  readonly #looks = new Set<() => void>()

  /** Something has changed. */
  notify(): void {
    for (const look of this.#looks) look()
  }

  /**
   * Waits until `find` gives something. Looks at once and with each `notify`.
   * @param limitMs in milliseconds; where it takes longer, the result is nothing
   */
  waitFor<T>(find: () => T | undefined): Promise<T>
  waitFor<T>(find: () => T | undefined, limitMs: number): Promise<T | undefined>
  async waitFor<T>(find: () => T | undefined, limitMs?: number): Promise<T | undefined> {
    return find() ?? this.#nextOf(find, limitMs)
  }

  #nextOf<T>(find: () => T | undefined, limitMs: number | undefined): Promise<T | undefined> {
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
    })
  }
}
