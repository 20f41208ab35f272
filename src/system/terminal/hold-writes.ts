import type { Writable } from 'node:stream'

/** Streams to which others cannot write for now. */
export interface HeldWrites {
  /** Writes to one of them all the same. */
  write(stream: Writable, chunk: string | Uint8Array): void
  /** Writes what was held back, in its order, and holds no more. */
  release(): void
}

interface Queue {
  isOpen: boolean
  readonly writes: (() => void)[]
}

/** Keeps what anybody writes to these streams until it is released; to those who wait for it, it is written. */
export function holdWrites(streams: readonly Writable[]): HeldWrites {
  const queue: Queue = { isOpen: false, writes: [] }
  const originals = new Map(streams.map((stream) => [stream, stream.write]))
  const replacements = new Map(streams.map((stream) => [stream, hold(stream, queue)]))
  for (const [stream, replacement] of replacements) stream.write = replacement
  return {
    write(stream, chunk) {
      Reflect.apply(originals.get(stream) ?? stream.write, stream, [chunk])
    },
    release() {
      for (const [stream, original] of originals) {
        // Somebody else may have replaced it since; ours, which they call, lets all pass from here on.
        if (stream.write === replacements.get(stream)) stream.write = original
      }
      queue.isOpen = true
      for (const write of queue.writes.splice(0)) write()
    },
  }
}

function hold(stream: Writable, queue: Queue): Writable['write'] {
  return new Proxy(stream.write, {
    apply(target, self, args: unknown[]) {
      if (queue.isOpen) return Reflect.apply(target, self, args)
      const [chunk, encoding] = args
      // What is written may be a buffer that its owner uses again.
      const kept = chunk instanceof Uint8Array ? Uint8Array.from(chunk) : chunk
      queue.writes.push(() => Reflect.apply(target, self, typeof encoding === 'string' ? [kept, encoding] : [kept]))
      const callback = args.at(-1)
      if (typeof callback === 'function') process.nextTick(() => Reflect.apply(callback, undefined, []))
      return true
    },
  })
}
