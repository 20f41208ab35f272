import { Writable } from 'node:stream'

/** A stream and what was written to it. */
export function recordedStream(): { readonly stream: Writable; text(): string } {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}
