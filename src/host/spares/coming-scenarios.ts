/** About how many scenarios of a run are still to get an agent: for what is started ahead of them. */
export class ComingScenarios {
  #specCount = 0
  /** Of each spec that was begun, how many are still to get one. */
  readonly #left = new Map<string, number>()

  /** Another run begins, with so many specs. */
  begin(specCount: number): void {
    this.#specCount = specCount
    this.#left.clear()
  }

  /** A spec is begun, or another scenario of it gets its agent: so many behind that are still to get one. */
  enter(specFile: string, followers = 0): void {
    this.#left.set(specFile, followers)
  }

  get count(): number {
    const inBegun = [...this.#left.values()].reduce((sum, one) => sum + one, 0)
    return inBegun + Math.max(0, this.#specCount - this.#left.size)
  }
}
