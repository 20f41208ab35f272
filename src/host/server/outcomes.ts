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
    await write([noted])
  }

  /** No agent is left: what one wrote in their place meanwhile does not last. */
  async endRun(): Promise<void> {
    const noted = this.#noted
    this.#noted = []
    if (noted.length > 0) await write(noted)
  }
}

/** Loaded with the first: most runs have none. */
async function write(all: readonly Noted[]): Promise<void> {
  const { writeOutcome } = await import('../../records/outcomes/outcome-files.ts')
  for (const [place, ended] of all) writeOutcome(place, ended)
}
