import { Transform, type TransformCallback } from 'node:stream'

/** Of one message, in bytes: a call takes a few hundred. */
export const maxMessageBytes = 10 * 1024 * 1024

/** What is kept of a message that is too long: its id stands at its beginning or its end. */
const partBytes = 4096

/** A message that was left out. */
export interface LongMessage {
  readonly bytes: number
  /** The id that its answer has to carry; `null` where it was not found. */
  readonly id: string | number | null
}

/**
 * Passes on messages, one in a line, whole. One of more than `maxMessageBytes` is left out and never held in memory:
 * the SDK would end the connection, and with it every call under way.
 */
export class WholeMessages extends Transform {
  readonly #onTooLong: (message: LongMessage) => void
  #pieces: Buffer[] = []
  #bytes = 0
  #head = ''
  #tail = Buffer.alloc(0)

  constructor(onTooLong: (message: LongMessage) => void) {
    super()
    this.#onTooLong = onTooLong
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', start)) {
      this.#add(chunk.subarray(start, at + 1))
      this.#endLine()
      start = at + 1
    }
    this.#add(chunk.subarray(start))
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#endLine()
    done()
  }

  get #isTooLong(): boolean {
    return this.#bytes > maxMessageBytes
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#bytes += piece.length
    if (!this.#isTooLong) return void this.#pieces.push(piece)
    if (this.#head === '') this.#head = Buffer.concat([...this.#pieces, piece]).toString('utf8', 0, partBytes)
    this.#pieces = []
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-partBytes)]).subarray(-partBytes)
  }

  #endLine(): void {
    if (this.#isTooLong) this.#onTooLong({ bytes: this.#bytes, id: findId(this.#head, this.#tail.toString()) })
    else if (this.#bytes > 0) this.push(Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#bytes = 0
    this.#head = ''
    this.#tail = Buffer.alloc(0)
  }
}

const value = String.raw`("(?:[^"\\]|\\.)*"|-?\d+)`
/** Looks only at the first and last members of the object, where all are plain: a nested member is not taken for it. */
const idAtStart = new RegExp(
  String.raw`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*){0,2}"id"\s*:\s*${value}\s*,`,
)
const idAtEnd = new RegExp(
  String.raw`,\s*"id"\s*:\s*${value}\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*){0,2}\}\s*$`,
)

function findId(head: string, tail: string): LongMessage['id'] {
  const found = (idAtStart.exec(head) ?? idAtEnd.exec(tail))?.[1]
  if (found === undefined) return null
  try {
    return JSON.parse(found) as string | number // by the pattern
  } catch {
    return null // no JSON after all
  }
}
