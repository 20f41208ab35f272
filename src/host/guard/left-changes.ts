import { readContent, readStamp } from './file-state.ts'

/** A guarded file that an agent changed and that is still as the agent left it. */
export interface LeftChange {
  /** Relative to the root, with slashes; absolute outside of it. */
  readonly file: string
  readonly path: string
  /** The scenario whose agent did it. */
  readonly by: string
  /** Whether it is a spec or included by one: then only its own scenarios rest on it. */
  readonly isSpec: boolean
  /** Mode and hash of what the agent left. */
  readonly left: string
}

/** A scenario with an agent at work: it may be the one that made a change. */
export interface ScenarioAtWork {
  /** Spec and title, for people. */
  readonly by: string
  /** Front matter `writes`. */
  readonly writes: readonly string[]
  /** Absolute paths of the spec and of what it includes. */
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

  /** The agent of a scenario is about to begin. */
  begin(scenario: ScenarioAtWork): void {
    this.#atWork.add(scenario)
  }

  /** The agent has ended. May be called twice. */
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
