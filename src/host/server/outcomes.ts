import type { EndedScenario, OutcomePlace } from '../../records/outcomes/outcome-files.ts'

type Noted = readonly [place: OutcomePlace, ended: EndedScenario]

/** Writes down what became of scenarios that prove requirements. */
export class Outcomes {
  readonly #options: { readonly now: () => Date }
  #noted: Noted[] = []

  constructor(options: { readonly now: () => Date }) {
    this.#options = options
  }

  /** @throws MdtestError `LOG_UNWRITABLE` when it cannot be written. */
  async note(place: OutcomePlace, ended: Omit<EndedScenario, 'endedAt'>): Promise<void> {
    const noted = [place, { ...ended, endedAt: this.#options.now().toISOString() }] as const // a pair
    this.#noted.push(noted)
    await write(noted)
  }

  /** No agent is left: what one wrote in their place meanwhile does not last. */
  async endRun(): Promise<void> {
    const noted = this.#noted
    this.#noted = []
    // What could not be written the first time cannot be now.
    for (const each of noted) await write(each).catch(() => {})
  }
}

/** Loaded with the first: most runs have none. */
async function write([place, ended]: Noted): Promise<void> {
  const { writeOutcome } = await import('../../records/outcomes/outcome-files.ts')
  writeOutcome(place, ended)
}
