/** Something that printed: a command or a tool. */
export interface Printed {
  readonly id: string
  /** Absent while it is not over. */
  readonly result: { readonly output: string } | undefined
}

/** For `next_output`: older ones are let go. */
const maxCount = 100
const maxCharacters = 32 * 1024 * 1024

/** The latest that printed, by id. */
export class LatestOutputs<One extends Printed> {
  readonly #kept: One[] = []

  find(id: string): One | undefined {
    return this.#kept.find((one) => one.id === id)
  }

  add(one: One): void {
    this.#kept.push(one)
    let characters = this.#kept.reduce((sum, kept) => sum + lengthOf(kept), 0)
    while (this.#kept.length > maxCount || (characters > maxCharacters && this.#kept.length > 1)) {
      const gone = this.#kept.shift()
      characters -= gone === undefined ? 0 : lengthOf(gone)
    }
  }
}

function lengthOf({ result }: Printed): number {
  return result?.output.length ?? 0
}
