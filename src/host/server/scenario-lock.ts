interface Visitor {
  readonly isAlone: boolean
  readonly enter: () => void
}

/**
 * Lets scenarios in: any number of ordinary ones at once, one that must be alone only by itself. In the order in which
 * they came, so nobody waits for ever: behind one that waits to be alone the ordinary ones wait too.
 */
export class ScenarioLock {
  readonly #inside = new Set<Visitor>()
  #waiting: readonly Visitor[] = []

  /** Gives a promise of being let in, and a function that leaves, or stops waiting. */
  enter({ isAlone }: { readonly isAlone: boolean }): { readonly entered: Promise<void>; leave(): void } {
    let enter = (): void => {}
    const entered = new Promise<void>((resolve) => {
      enter = resolve
    })
    const visitor = { isAlone, enter }
    this.#waiting = [...this.#waiting, visitor]
    this.#letIn()
    return {
      entered,
      leave: () => {
        this.#inside.delete(visitor)
        this.#waiting = this.#waiting.filter((other) => other !== visitor)
        this.#letIn()
      },
    }
  }

  #letIn(): void {
    for (;;) {
      const [next, ...rest] = this.#waiting
      if (next === undefined || !this.#hasRoomFor(next)) return
      this.#waiting = rest
      this.#inside.add(next)
      next.enter()
    }
  }

  #hasRoomFor({ isAlone }: Visitor): boolean {
    if (isAlone) return this.#inside.size === 0
    return [...this.#inside].every((other) => !other.isAlone)
  }
}
