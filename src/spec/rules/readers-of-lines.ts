/** Who reads a line. In another tool's document: what the line is, such as a title or a check of a test. */
export type Fate = 'agent' | 'no-agent' | 'skipped' | 'title' | 'scenario' | 'check' | 'known'

/** Records who reads each line of a document, so that unread lines can be reported. */
export class Fates {
  readonly #byLine = new Map<number, Fate | undefined>()

  mark(fate: Fate | undefined, line: number, endLine = line): void {
    for (let each = line; each <= endLine; each += 1) this.#byLine.set(each, fate)
  }

  at(line: number): Fate | undefined {
    return this.#byLine.get(line)
  }
}
