import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openStatusLine } from '../../../../src/vitest/reporters/lines/status-line.ts'

/** A stream and what was written to it. */
function recorder(): { readonly stream: Writable; text(): string } {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}

const clear = '\r\u001b[K'
const drawn = (text: string): string => `${clear}\u001b[?7l${text}\u001b[?7h`

test('gives way to what is written to either stream', () => {
  const out = recorder()
  const error = recorder()
  const line = openStatusLine(error.stream, [out.stream, error.stream])
  line.show('one')
  error.stream.write('hello\n')
  line.show('two')
  out.stream.write(Buffer.from('result\n'))
  expect(error.text()).toBe(`${drawn('one')}${clear}hello\n${drawn('two')}${clear}`)
  expect(out.text()).toBe('result\n')
})

test('waits until a line that somebody began is complete', () => {
  const { stream, text } = recorder()
  const line = openStatusLine(stream, [])
  stream.write('begun')
  line.show('one')
  stream.write(' and ended\n')
  line.show('two')
  expect(text()).toBe(`begun and ended\n${drawn('two')}`)
})

test('is gone with nothing to show, and when it is closed', () => {
  const { stream, text } = recorder()
  const { write } = stream
  const line = openStatusLine(stream, [stream])
  line.show('one')
  line.show(undefined)
  line.show('two')
  line[Symbol.dispose]()
  stream.write('end')
  expect(text()).toBe(`${drawn('one')}${clear}${drawn('two')}${clear}end`)
  expect(stream.write).toBe(write)
})
