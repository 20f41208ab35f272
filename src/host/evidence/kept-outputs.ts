import { ownCopy } from '../../system/own-package.ts'

export interface ToolOutput {
  readonly endedAtMs: number
  readonly text: string
  readonly step?: string | null
  /** Whether an action in a browser failed: what is printed then is of the failure, not of the page. @default false */
  readonly isFailure?: boolean
  /** Whether its lines hold texts that may be quoted by themselves: of a page, of JSON. Default: false. */
  readonly hasTexts?: boolean
  readonly doubt?: string
  /** What the agent gave on its own to what printed it. */
  readonly echoes?: readonly string[]
}

export const maxOutputCharacters = 1024 * 1024
export const maxKeptCharacters = 16 * 1024 * 1024
/** What an output counts besides its text: there may be a million empty ones. */
const outputCharacters = 1_000

export class Latest<Item> {
  readonly #items: Item[] = []
  readonly #textOf: (item: Item) => string
  #characters = 0
  #droppedCount = 0

  constructor(textOf: (item: Item) => string) {
    this.#textOf = textOf
  }

  get all(): readonly Item[] {
    this.#trim()
    return this.#items
  }

  get droppedCount(): number {
    this.#trim()
    return this.#droppedCount
  }

  add(item: Item): void {
    this.#items.push(item)
    this.#characters += this.#sizeOf(item)
    // Not for each: to move up a million others takes its time.
    if (this.#characters > 2 * maxKeptCharacters) this.#trim()
  }

  #trim(): void {
    let count = 0
    for (const item of this.#items) {
      if (this.#characters <= maxKeptCharacters) break
      this.#characters -= this.#sizeOf(item)
      count += 1
    }
    this.#items.splice(0, count)
    this.#droppedCount += count
  }

  #sizeOf(item: Item): number {
    return this.#textOf(item).length + outputCharacters
  }
}

export function keptPart(text: string): string {
  return ownCopy(text.slice(0, maxOutputCharacters))
}
