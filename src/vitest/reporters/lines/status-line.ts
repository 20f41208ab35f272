import type { Writable } from 'node:stream'

/** One line at the bottom of a terminal that gives way to whatever else is printed. */
export interface StatusLine extends Disposable {
  /** Shows a text without line ends in place of the one before; nothing for `undefined`. */
  show(text: string | undefined): void
}

const clearLine = '\r\u001b[K'
/** Without wrapping: a line that is too wide could not be cleared. */
const wrapOff = '\u001b[?7l'
const wrapOn = '\u001b[?7h'

/**
 * Opens a status line on a stream to a terminal.
 *
 * @param others all streams that may lead to the same terminal: what is written to them clears the line first
 */
export function openStatusLine(stream: Writable, others: readonly Writable[]): StatusLine {
  const write = stream.write.bind(stream)
  let shown: string | undefined
  let isAtLineStart = true
  const clear = (): void => {
    if (shown !== undefined) write(clearLine)
    shown = undefined
  }
  const restores = [...new Set([stream, ...others])].map((each) =>
    beforeWrites(each, (chunk) => {
      clear()
      isAtLineStart = endsLine(chunk)
    }),
  )
  return {
    show(text) {
      if (text === undefined) return clear()
      // Somebody is in the middle of a line.
      if (!isAtLineStart || text === shown) return
      write(`${clearLine}${wrapOff}${text}${wrapOn}`)
      shown = text
    },
    [Symbol.dispose]() {
      clear()
      for (const restore of restores) restore()
    },
  }
}

/** Calls the listener before every write. Gives a function that ends this. */
function beforeWrites(stream: Writable, listener: (chunk: unknown) => void): () => void {
  const original = stream.write
  const replacement = new Proxy(original, {
    apply(target, self, args: unknown[]) {
      listener(args[0])
      return Reflect.apply(target, self, args)
    },
  })
  stream.write = replacement
  return () => {
    // Somebody else may have replaced it since.
    if (stream.write === replacement) stream.write = original
  }
}

function endsLine(chunk: unknown): boolean {
  if (typeof chunk === 'string') return chunk === '' || chunk.endsWith('\n')
  return chunk instanceof Uint8Array ? chunk.length === 0 || chunk.at(-1) === 0x0a : true
}
