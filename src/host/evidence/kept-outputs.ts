import { ownCopy } from '../../system/own-copy.ts'
import type { ToolOutput } from './find-quote.ts'
import { quotableLines, type QuotableLines } from './quotable-lines.ts'

/** Longest output of one call that is kept for quotes, in UTF-16 code units. */
const maxOutputCharacters = 1024 * 1024
/** What is kept of all outputs of a scenario, in UTF-16 code units. */
export const maxKeptCharacters = 16 * 1024 * 1024
/** What an output counts besides its text: there may be a million empty ones. */
const outputCharacters = 1_000

/** What the tool calls of one scenario printed, as far as it is kept for quotes: the latest, up to a limit. */
export class KeptOutputs {
  readonly #all: ToolOutput[] = []
  #droppedCount = 0
  #characters = 0

  /** From the oldest to the latest. */
  get all(): readonly ToolOutput[] {
    return this.#all
  }

  /** Older outputs that were dropped. */
  get droppedCount(): number {
    return this.#droppedCount
  }

  add(output: ToolOutput): void {
    this.#all.push(output)
    this.#characters += sizeOf(output)
    while (this.#characters > maxKeptCharacters) this.#dropOldest()
  }

  #dropOldest(): void {
    const oldest = this.#all.shift()
    if (oldest === undefined) return
    this.#characters -= sizeOf(oldest)
    this.#droppedCount += 1
  }
}

/** Words that an agent has put into files, ready to be searched: the latest, up to a limit. */
export class KeptWords {
  readonly #all: QuotableLines[] = []
  #characters = 0

  get all(): readonly QuotableLines[] {
    return this.#all
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      const words = quotableLines(ownCopy(text.slice(0, maxOutputCharacters)))
      this.#all.push(words)
      this.#characters += words.flat.length + outputCharacters
    }
    while (this.#characters > maxKeptCharacters)
      this.#characters -= (this.#all.shift()?.flat.length ?? 0) + outputCharacters
  }
}

function sizeOf({ text }: ToolOutput): number {
  return text.length + outputCharacters
}

/** What is kept of the text that one call printed. */
export function keptPart(text: string): string {
  return ownCopy(text.slice(0, maxOutputCharacters))
}
