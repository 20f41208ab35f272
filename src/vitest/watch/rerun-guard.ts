/** A change is seen that much later than it is made, in milliseconds. */
const settlingMs = 500
/** A run that is due begins within that, in milliseconds. */
const dueMs = 5_000
/** How many times in a row changes that may come from other specs start a spec. */
const maxInARow = 3

/** What a change of a watched file means for a spec: it runs, or does not; `known` where that was said of this run before. */
export type Ruling = 'run' | 'ignored' | 'known'

/**
 * Keeps specs that write files which they, or each other, watch from running for ever. Who changed a file nobody can
 * tell, so what changes while a spec runs counts as its own.
 */
export class RerunGuard {
  /** Until when changes may come from a spec. */
  readonly #busyUntilMs = new Map<string, number>()
  /** Until when a spec that was started has to begin. */
  readonly #dueUntilMs = new Map<string, number>()
  readonly #inARow = new Map<string, number>()
  readonly #ignored = new Set<string>()

  began(spec: string): void {
    this.#dueUntilMs.delete(spec)
    this.#ignored.delete(spec)
    this.#busyUntilMs.set(spec, Infinity)
  }

  ended(spec: string, nowMs: number): void {
    this.#busyUntilMs.set(spec, nowMs + settlingMs)
  }

  /** Ends those that were canceled before they ended. */
  endedAll(nowMs: number): void {
    for (const [spec, untilMs] of this.#busyUntilMs) {
      if (untilMs === Infinity) this.ended(spec, nowMs)
    }
  }

  /** A file that the spec watches has changed. */
  judge(spec: string, nowMs: number): Ruling {
    if ((this.#dueUntilMs.get(spec) ?? 0) > nowMs) return 'run'
    if (!this.#isAnyBusy(nowMs)) this.#inARow.clear()
    const count = (this.#inARow.get(spec) ?? 0) + 1
    if (count > maxInARow || (this.#busyUntilMs.get(spec) ?? 0) > nowMs) {
      const isKnown = this.#ignored.has(spec)
      this.#ignored.add(spec)
      return isKnown ? 'known' : 'ignored'
    }
    this.#inARow.set(spec, count)
    this.#dueUntilMs.set(spec, nowMs + dueMs)
    return 'run'
  }

  #isAnyBusy(nowMs: number): boolean {
    return [this.#busyUntilMs, this.#dueUntilMs].some((times) => [...times.values()].some((untilMs) => untilMs > nowMs))
  }
}
