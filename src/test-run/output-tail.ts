/** The last lines of an output of any length. */
export interface OutputTail {
  add(line: string): void
  /** All of what is kept, each line ended by a line feed; the first one may have lost its beginning. */
  readonly text: string
}

/**
 * Keeps lines as bytes in one place: as texts, an output at full speed would be garbage faster than it is collected.
 *
 * @param maxBytes how much is kept, from 1
 */
export function createOutputTail(maxBytes: number): OutputTail {
  // More than that, so that it is moved once for many lines. Unused, it takes no memory.
  const bytes = Buffer.alloc(Math.ceil(1.5 * maxBytes))
  let end = 0
  function append(text: string): void {
    const length = Buffer.byteLength(text)
    if (length > maxBytes) {
      Buffer.from(text).copy(bytes, 0, length - maxBytes)
      end = maxBytes
      return
    }
    if (end + length > bytes.length) {
      const kept = Math.min(end, maxBytes - length)
      bytes.copyWithin(0, end - kept, end)
      end = kept
    }
    end += bytes.write(text, end)
  }
  return {
    add: (line) => append(`${line}\n`),
    get text() {
      return bytes.toString('utf8', firstCharacter(bytes, Math.max(0, end - maxBytes)), end)
    },
  }
}

/** From here on: a character of several bytes that is cut is left out. */
function firstCharacter(bytes: Buffer, start: number): number {
  let at = start
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  return at
}
