import { parseRecording } from './parse-recording.ts'
import { sealOf } from './seal.ts'

/** What `resealRecording` replaces. */
export const noSeal = '00000000'

/** The text of a recording in which each seal stands for the blocks that are there. Keys without a seal stay so. */
export function resealRecording(source: string): string {
  const lines = new SourceLines(source)
  const all = Array.from({ length: lines.count }, (_, index) => lines.at(index + 1))
  for (const { key, seal, line, endLine, blocks } of parseRecording(source, '').recording.steps) {
    if (seal === undefined) continue
    const marks = all.findIndex((text, index) => index >= line && index < endLine && text.includes(key + seal))
    if (marks !== -1) lines.change(marks + 1, lines.at(marks + 1).replace(key + seal, key + sealOf(blocks, all)))
  }
  return lines.toString()
}

/** Changes of the text of a file by its lines. Each other byte stays. */
class SourceLines {
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
