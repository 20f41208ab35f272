import type { Known } from './resolve-words.ts'

/** Variables that change how later commands work, such as `PATH` and `NODE_OPTIONS`. */
export const steeringVariable =
  /^(?:BASH\w*|CDPATH|TMPDIR|EXECIGNORE|GLOBIGNORE|IFS|PS4|OPT\w+|(?:MDTEST|LD|DYLD|GIT|npm)_\w+|\w*(?:OPT|OPTS|OPTIONS|FLAGS|ARGS|PATH|HOME|SHELL))$/

/** A change by a command. `states`: a variable before and after. `directories`: the directories before a `cd`. */
type Change = { readonly name: string; readonly states: readonly Known[] } | { readonly directories: readonly string[] }

export const unknownDirectory = '/dev/null/unknown'
const maxDirectories = 64

/** Known variables of a shell, and the directories where its next command may run. */
export class ShellState {
  values: Map<string, Known>
  directories: readonly string[]
  depth = 0
  readonly #changes: Change[] = []

  constructor(directories: readonly string[], values: ReadonlyMap<string, Known> = new Map()) {
    this.directories = directories
    this.values = new Map(values)
  }

  get changeCount(): number {
    return this.#changes.length
  }

  perhaps(visit: () => void): void {
    const start = this.#changes.length
    visit()
    this.settle(start)
  }

  /** Visits code of a subshell, then restores variables and directories. */
  apart(visit: () => void): void {
    const [values, directories, { length }] = [new Map(this.values), this.directories, this.#changes]
    this.depth += 1
    visit()
    this.depth -= 1
    this.values = values
    this.directories = directories
    this.#changes.length = length
  }

  /** Call after code that may not have run. Then both the old and the new values since `start` are possible. */
  settle(start: number): void {
    const changes = this.#changes.slice(start)
    const before = changes.flatMap((change) => ('directories' in change ? change.directories : []))
    if (before.length > 0) this.go([...before, ...this.directories])
    const states = new Map<string, readonly Known[]>()
    for (const change of changes)
      if ('name' in change) states.set(change.name, [...(states.get(change.name) ?? []), ...change.states])
    for (const [name, all] of states) {
      const isSame = new Set(all.map((each) => JSON.stringify(each))).size === 1
      const pieces = [...new Set(all.flatMap((each) => each.pieces ?? each.value ?? []))]
      this.set(name, isSame ? (all[0] ?? {}) : { isNumber: all.every(({ isNumber }) => isNumber === true), pieces })
    }
  }

  set(name: string, { value, pieces, isPattern = false, isNumber = false, isJob = false }: Known): void {
    const after = { value, pieces, isPattern, isNumber, isJob }
    this.#changes.push({ name, states: [this.values.get(name) ?? {}, after] })
    this.values.set(name, after)
  }

  go(directories: readonly string[]): void {
    this.#changes.push({ directories: this.directories })
    const all = [...new Set(directories)].toSorted()
    this.directories = all.length > maxDirectories ? [unknownDirectory] : all
  }
}
