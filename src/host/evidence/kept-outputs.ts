import { ownCopy } from '../../system/own-package.ts'

export interface ToolOutput {
  readonly endedAtMs: number
  readonly text: string
  readonly step?: string | null
  /**
   * Whether an action in a browser failed: what is printed then is of the failure, not of the page.
   * @default false
   */
  readonly isFailure?: boolean
  /** Whether its lines hold texts that may be quoted by themselves: of a page, of JSON. Default: false. */
  readonly hasTexts?: boolean
  /** Why nothing in it proves anything, and what would. */
  readonly doubt?: string
}

/** Longest output of one call that is kept for quotes, in UTF-16 code units. */
export const maxOutputCharacters = 1024 * 1024
/** What is kept of all outputs of a scenario, in UTF-16 code units. */
export const maxKeptCharacters = 16 * 1024 * 1024
/** What an output counts besides its text: there may be a million empty ones. */
export const outputCharacters = 1_000

/** The latest of what was added, up to `maxKeptCharacters`. To drop one costs no more than to add one, also of a million. */
export class Latest<Item> {
  readonly #items: Item[] = []
  readonly #sizeOf: (item: Item) => number
  /** Of `#items`, from the front: moving all others up for each would take quadratic time. */
  #droppedAhead = 0
  #characters = 0

  constructor(sizeOf: (item: Item) => number) {
    this.#sizeOf = sizeOf
  }

  get all(): readonly Item[] {
    this.#removeDropped()
    return this.#items
  }

  /** @returns how many older ones had to make room */
  add(item: Item): number {
    this.#items.push(item)
    this.#characters += this.#sizeOf(item)
    const before = this.#droppedAhead
    while (this.#characters > maxKeptCharacters) this.#dropOldest()
    const dropped = this.#droppedAhead - before
    if (this.#droppedAhead > this.#items.length / 2) this.#removeDropped()
    return dropped
  }

  #dropOldest(): void {
    const oldest = this.#items[this.#droppedAhead]
    if (oldest === undefined) return
    this.#characters -= this.#sizeOf(oldest)
    this.#droppedAhead += 1
  }

  #removeDropped(): void {
    this.#items.splice(0, this.#droppedAhead)
    this.#droppedAhead = 0
  }
}

export class KeptOutputs {
  readonly #latest = new Latest<ToolOutput>(({ text }) => text.length + outputCharacters)
  #droppedCount = 0

  get all(): readonly ToolOutput[] {
    return this.#latest.all
  }

  get droppedCount(): number {
    return this.#droppedCount
  }

  add(output: ToolOutput): void {
    this.#droppedCount += this.#latest.add(output)
  }
}

export function keptPart(text: string): string {
  return ownCopy(text.slice(0, maxOutputCharacters))
}
