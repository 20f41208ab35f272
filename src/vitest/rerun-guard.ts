/** A change is seen that much later than it is made, in milliseconds. */
const settlingMs = 500
/** A run that is due begins within that, in milliseconds. */
const dueMs = 5_000
/** How often changes that may come from specs start one of them again before it is left alone. */
const maxInARow = 3

/**
 * Keeps specs that write files which they, or each other, watch from running for ever. Who changed a file nobody can
 * tell, so what changes while specs run counts as theirs.
 */
export class RerunGuard {
  /** Until when changes may come from a spec. */
  readonly #busyUntilMs = new Map<string, number>()
  #dueUntilMs = 0
  readonly #inARow = new Map<string, number>()

  began(spec: string): void {
    this.#busyUntilMs.set(spec, Infinity)
  }

  ended(spec: string, nowMs: number): void {
    this.#busyUntilMs.set(spec, nowMs + settlingMs)
  }

  /** Ends all that were canceled before they ended. */
  endedAll(nowMs: number): void {
    for (const [spec, untilMs] of this.#busyUntilMs) {
      if (untilMs === Infinity) this.ended(spec, nowMs)
      else if (untilMs < nowMs) this.#busyUntilMs.delete(spec)
    }
  }

  /** Whether a change of a file that the spec watches starts it. */
  admits(spec: string, nowMs: number): boolean {
    if ((this.#busyUntilMs.get(spec) ?? 0) > nowMs) return false
    if (!this.#isAnyBusy(nowMs)) this.#inARow.clear()
    const count = (this.#inARow.get(spec) ?? 0) + 1
    if (count > maxInARow) return false
    this.#inARow.set(spec, count)
    this.#dueUntilMs = nowMs + dueMs
    return true
  }

  #isAnyBusy(nowMs: number): boolean {
    return this.#dueUntilMs > nowMs || [...this.#busyUntilMs.values()].some((untilMs) => untilMs > nowMs)
  }
}
