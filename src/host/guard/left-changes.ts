import { readContent, readStamp, hashBytes, hashFile } from './file-state.ts'

/** A guarded file that an agent changed and that is still as the agent left it. */
export interface LeftChange {
  /** Relative to the root, with slashes; absolute outside of it. */
  readonly file: string
  readonly path: string
  readonly by: string
  /** Whether it is a spec or included by one: then only its own scenarios rest on it. */
  readonly isSpec: boolean
  /** Mode and hash of what the agent left. */
  readonly left: string
}

export interface ScenarioAtWork {
  readonly by: string
  readonly writes: readonly string[]
  readonly spec: readonly string[]
}

/** Changes by agents of this run that nobody has undone since: mdtest tests nothing on them. */
export class LeftChanges {
  readonly #atWork = new Set<ScenarioAtWork>()
  readonly #changes = new Map<string, LeftChange>()

  /** Scenarios whose agents are at work. A change that one of them may make cannot be blamed on another. */
  get atWork(): readonly ScenarioAtWork[] {
    return [...this.#atWork]
  }

  begin(scenario: ScenarioAtWork): void {
    this.#atWork.add(scenario)
  }

  end(scenario: ScenarioAtWork): void {
    this.#atWork.delete(scenario)
  }

  /**
   * Changes that are still there. Forgets those that were undone or replaced.
   *
   * @param spec absolute paths of the spec to run and of its includes; no other specs are listed
   */
  async list(spec: readonly string[]): Promise<readonly LeftChange[]> {
    for (const change of this.#changes.values()) {
      if (!(await isAsLeft(change))) this.#changes.delete(change.path)
    }
    return [...this.#changes.values()].filter(({ isSpec, path }) => !isSpec || spec.includes(path))
  }

  /** Whether a spec is still as an agent left it. The scenario of that agent has failed for it. */
  async isKnownSpec(path: string): Promise<boolean> {
    const change = this.#changes.get(path)
    return change?.isSpec === true && (await isAsLeft(change))
  }

  async add(files: readonly Pick<LeftChange, 'file' | 'path' | 'isSpec'>[], by: string): Promise<void> {
    for (const file of files) this.#changes.set(file.path, { ...file, by, left: await stateOf(file.path) })
  }
}

async function isAsLeft({ path, left }: LeftChange): Promise<boolean> {
  return (await stateOf(path)) === left
}

async function stateOf(path: string): Promise<string> {
  const { stamp, mode } = readStamp(path)
  return `${mode} ${(await readContent(path, mode)) ?? stamp}`
}

/** Files that mdtest itself rewrote while agents may be at work: a change to what it wrote is nobody else's. */
export class OwnWrites {
  readonly #hashes = new Map<string, string>()

  add(file: string, text: string): void {
    this.#hashes.set(file, hashBytes(text))
  }

  isAsWritten(file: string): boolean {
    const hash = this.#hashes.get(file)
    return hash !== undefined && hash === hashFile(file)
  }
}
