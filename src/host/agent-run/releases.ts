/** What was made for an agent and has to go with it, noted as soon as it is there. */
export class Releases {
  readonly #releases: (() => void)[] = []

  /** @param release removes or closes one thing; called once */
  add(release: () => void): void {
    this.#releases.push(release)
  }

  /**
   * Releases all, what was made last at first. One that fails keeps none of the others from it.
   *
   * @throws the last error of a release
   */
  releaseAll(): void {
    const release = this.#releases.pop()
    if (release === undefined) return
    try {
      release()
    } finally {
      this.releaseAll()
    }
  }
}

/**
 * Does what makes things for later, and releases them at once where it fails.
 *
 * @throws what `work` throws
 */
export async function orRelease<T>(work: (releases: Releases) => Promise<T>): Promise<T> {
  const releases = new Releases()
  try {
    return await work(releases)
  } catch (error: unknown) {
    try {
      releases.releaseAll()
    } catch {
      // The first error says what is wrong; what is left goes with the run.
    }
    throw error
  }
}
