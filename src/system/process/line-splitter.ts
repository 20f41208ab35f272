/** Ends a piece of a line that was cut because it is too long; the next call carries on with the same line. */
export const continuedMark = ' [line continues]'

/** Turns text that comes in pieces into lines. */
export interface LineSplitter {
  push(text: string): void
  /** Hands over the last line if it was not ended. */
  end(): void
}

/**
 * Calls `onLine` for each line, without its `\n` or `\r\n`. A line of more than `maxLineChars` (UTF-16 units, from
 * 2) comes in pieces, each but the last ended by `continuedMark`. How the text was split does not matter.
 */
export function createLineSplitter({
  maxLineChars,
  onLine,
}: {
  readonly maxLineChars: number
  readonly onLine: (line: string) => void
}): LineSplitter {
  let rest = ''

  function add(text: string): void {
    rest += text
    // One more than the limit may be held: it can be the `\r` of a line end.
    while (rest.length > maxLineChars + 1) cut()
  }

  function cut(): void {
    const length = cutLength(rest, maxLineChars)
    const piece = rest.slice(0, length)
    rest = rest.slice(length)
    onLine(piece + continuedMark)
  }

  function emit(): void {
    while (rest.length > maxLineChars) cut()
    const line = rest
    rest = ''
    onLine(line)
  }

  return {
    push(text) {
      let start = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
        add(text.slice(start, at))
        if (rest.endsWith('\r')) rest = rest.slice(0, -1)
        emit()
        start = at + 1
      }
      add(text.slice(start))
    },
    end() {
      if (rest !== '') emit()
    },
  }
}

/** Never inside a character of two units, nor between `\r` and `\n`. */
function cutLength(text: string, max: number): number {
  return /[\uD800-\uDBFF\r]/.test(text.charAt(max - 1)) ? max - 1 : max
}
