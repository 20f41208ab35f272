/** Lets a limited number of holders in at once, in the order in which they came. */
export class Slots {
  readonly #count: number
  #free: number
  readonly #waiting = new Set<() => void>()

  /** @param count how many may hold a slot at once, from 1 */
  constructor(count: number) {
    this.#count = count
    this.#free = count
  }

  /** How many are held. */
  get taken(): number {
    return this.#count - this.#free
  }

  /** Whether the next one has to wait. */
  get isFull(): boolean {
    return this.#free === 0
  }

  /**
   * Waits for a slot. Gives a function that gives it back, once; calling it again has no effect. One whose signal is
   * aborted waits no longer and gets none: then the function does nothing, and the result is to be thrown away.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) {
      this.#free -= 1
      return this.#giveBackOnce()
    }
    const hasSlot = await this.#queue(signal)
    return hasSlot ? this.#giveBackOnce() : () => {}
  }

  #queue(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const give = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        this.#waiting.delete(give)
        resolve(false)
      }
      this.#waiting.add(give)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #giveBackOnce(): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const [next] = this.#waiting
      if (next === undefined) this.#free += 1
      else {
        this.#waiting.delete(next)
        next()
      }
    }
  }
}
