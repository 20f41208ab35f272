/** The last lines of an output of any length. */
export interface OutputTail {
  add(line: string): void
  /** All of what is kept, each line ended by a line feed. */
  readonly text: string
}

/** @param maxChars how much is kept (UTF-16 units, from 1); a longer line loses its beginning */
export function createOutputTail(maxChars: number): OutputTail {
  const lines: string[] = []
  let first = 0
  let chars = 0
  return {
    add(line) {
      // Sliced text would keep the whole of a long line in memory.
      const kept = line.length < maxChars ? line : Buffer.from(line.slice(1 - maxChars)).toString()
      lines.push(kept)
      chars += kept.length + 1
      while (chars > maxChars && first < lines.length) {
        chars -= (lines[first]?.length ?? 0) + 1
        lines[first] = ''
        first += 1
      }
      // Taking each from the front of a long list would take as long as the list.
      if (first > 1024 && first * 2 > lines.length) {
        lines.splice(0, first)
        first = 0
      }
    },
    get text() {
      return lines
        .slice(first)
        .map((line) => `${line}\n`)
        .join('')
    },
  }
}
