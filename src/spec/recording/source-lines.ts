/** Changes of the text of a file by its lines. Each other byte stays. */
export class SourceLines {
  /** With what ends them, without a byte order mark. */
  readonly #lines: readonly string[]
  readonly #mark: string
  readonly #end: string
  readonly #changed = new Map<number, string | undefined>()
  readonly #inserted = new Map<number, readonly string[]>()

  constructor(source: string) {
    this.#mark = source.startsWith('\uFEFF') ? '\uFEFF' : ''
    this.#lines = source.slice(this.#mark.length).match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
    this.#end = /[\r\n]+$/.exec(this.#lines[0] ?? '')?.[0] ?? '\n'
  }

  get count(): number {
    return this.#lines.length
  }

  /** The line without its end, as changed so far; empty where there is none. */
  at(line: number): string {
    const text = this.#changed.has(line) ? (this.#changed.get(line) ?? '') : (this.#lines[line - 1] ?? '')
    return text.replace(/[\r\n]+$/, '')
  }

  isBlank(line: number): boolean {
    return this.at(line).trim() === ''
  }

  change(line: number, text: string): void {
    const end = /[\r\n]+$/.exec(this.#lines[line - 1] ?? '')?.[0] ?? ''
    this.#changed.set(line, `${text}${end}`)
  }

  remove(first: number, last: number): void {
    for (let line = first; line <= last; line += 1) this.#changed.set(line, undefined)
  }

  /** @param line before which they come; one more than there are for the end */
  insert(line: number, lines: readonly string[]): void {
    this.#inserted.set(line, [...(this.#inserted.get(line) ?? []), ...lines])
  }

  toString(): string {
    let text = this.#mark
    for (let line = 1; line <= this.count + 1; line += 1) {
      for (const added of this.#inserted.get(line) ?? []) {
        if (text.length > this.#mark.length && !/[\r\n]$/.test(text)) text += this.#end
        text += `${added}${this.#end}`
      }
      if (line <= this.count) text += this.#changed.has(line) ? (this.#changed.get(line) ?? '') : this.#lines[line - 1]
    }
    return text
  }
}
