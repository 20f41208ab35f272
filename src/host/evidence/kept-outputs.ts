import { ownCopy } from '../../system/mdtest-package.ts'

export interface ToolOutput {
  readonly endedAtMs: number
  readonly text: string
  readonly step?: string | null
  /** Whether a quote may begin within a line, as in pages and JSON. @default false */
  readonly hasTexts?: boolean
  readonly doubt?: string
  /** Words that the agent itself passed to the call. */
  readonly echoes?: readonly string[]
}

export const maxOutputCharacters = 1024 * 1024
export const maxKeptCharacters = 16 * 1024 * 1024
/** Added to the size of each output, because a million empty outputs need memory, too. */
const outputCharacters = 1_000

export class Latest<Item> {
  readonly #items: Item[] = []
  readonly #itemText: (item: Item) => string
  #characters = 0
  #droppedCount = 0

  constructor(itemText: (item: Item) => string) {
    this.#itemText = itemText
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
    // Trim rarely, because moving a million items is slow.
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
    return this.#itemText(item).length + outputCharacters
  }
}

/** The text without its middle, if it is too long. Lines that would be cut go, too: half a line may say the opposite. */
export function keptPart(text: string): string {
  if (text.length <= maxOutputCharacters) return ownCopy(text)
  const half = maxOutputCharacters / 2
  const [head, tail] = [text.slice(0, half), text.slice(-half)]
  const end = head.lastIndexOf('\n')
  const start = tail.indexOf('\n')
  return ownCopy((end === -1 ? head : head.slice(0, end)) + (start === -1 ? '' : tail.slice(start)))
}
