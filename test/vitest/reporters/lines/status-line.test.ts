import { expect, test } from 'vitest'
import { openStatusLine } from '../../../../src/vitest/reporters/lines/status-line.ts'
import { recordedStream } from '../../../support/recorded-stream.ts'

const clear = '\r\u001b[K'
const drawn = (text: string): string => `${clear}\u001b[?7l${text}\u001b[?7h`

test('gives way to what is written to either stream', () => {
  const out = recordedStream()
  const error = recordedStream()
  const line = openStatusLine(error.stream, [out.stream, error.stream])
  line.show('one')
  error.stream.write('hello\n')
  line.show('two')
  out.stream.write(Buffer.from('result\n'))
  expect(error.text()).toBe(`${drawn('one')}${clear}hello\n${drawn('two')}${clear}`)
  expect(out.text()).toBe('result\n')
})

test('waits until a line that somebody began is complete', () => {
  const { stream, text } = recordedStream()
  const line = openStatusLine(stream, [])
  stream.write('begun')
  line.show('one')
  stream.write(' and ended\n')
  line.show('two')
  expect(text()).toBe(`begun and ended\n${drawn('two')}`)
})

test('is gone with nothing to show, and when it is closed', () => {
  const { stream, text } = recordedStream()
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
