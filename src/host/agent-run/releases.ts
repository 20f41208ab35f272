/** What was made for one agent and is removed with it. Add each thing as soon as it exists. */
export class Releases {
  readonly #releases: (() => void)[] = []

  /** @param release removes or closes one thing; called once */
  add(release: () => void): void {
    this.#releases.push(release)
  }

  /**
   * Releases all, the last one first. A release that fails does not stop the others.
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
 * Runs work that makes things for later. If it fails, releases them at once.
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
      // The first error says what is wrong. The end of the run removes what is left.
    }
    throw error
  }
}
