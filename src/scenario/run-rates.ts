import type { Conclusion } from '../records/verdict/verdict-record.ts'
import type { Repeats } from '../spec/spec.ts'

/** Counts over the runs of a scenario how often each step passed. */
export class RunRates {
  readonly #repeats: Repeats
  #runs = 0
  /** By id of the step. */
  readonly #passed = new Map<string, number>()

  constructor(repeats: Repeats) {
    this.#repeats = repeats
  }

  /** One more run ended: gives its conclusion with the rates up to now. */
  add({ steps, ...conclusion }: Conclusion): Conclusion {
    this.#runs += 1
    const run = this.#runs
    return {
      ...conclusion,
      repeat: { run, of: this.#repeats.runs, required: this.#repeats.required },
      steps: steps.map((step) => {
        const passed = (this.#passed.get(step.id) ?? 0) + (step.outcome === 'pass' ? 1 : 0)
        this.#passed.set(step.id, passed)
        return { ...step, passedRuns: passed }
      }),
    }
  }
}
