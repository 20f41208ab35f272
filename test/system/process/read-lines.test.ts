import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readLines } from '../../../src/system/process/read-output.ts'

async function linesOf(pieces: readonly Uint8Array[], last?: string): Promise<readonly string[]> {
  const stream = new PassThrough()
  const lines: string[] = []
  // It uses what every readable stream has.
  readLines(stream as unknown as Socket, (line) => {
    lines.push(line)
    return line !== last
  })
  for (const piece of pieces) {
    stream.write(piece)
    await new Promise((done) => setImmediate(done))
  }
  return lines
}

const bytes = Buffer.from('ä\n\n😀b\nlast\nrest')

test('lines are the same, however they are cut', async () => {
  const expected = ['ä', '', '😀b', 'last']
  expect(await linesOf([bytes])).toEqual(expected)
  expect(await linesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected)
})

test('what is not closed by a line feed is no line, and nothing is read after the last', async () => {
  expect(await linesOf([Buffer.from('{"half')])).toEqual([])
  expect(await linesOf([bytes, bytes], '')).toEqual(['ä', ''])
})
