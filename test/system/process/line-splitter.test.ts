import fc from '../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { continuedMark, createLineSplitter } from '../../../src/system/process/read-output.ts'

function split(chunks: readonly string[], maxLineChars = 1000): readonly string[] {
  const lines: string[] = []
  const splitter = createLineSplitter(maxLineChars, (line) => void lines.push(line))
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '\r\n', '😀', 'é'), maxLength: 60 })

describe('createLineSplitter', () => {
  test('gives what a regular expression gives', () => {
    fc.assert(
      fc.property(fc.array(text), (chunks) => {
        const lines = chunks.join('').split(/\r?\n/)
        if (lines.at(-1) === '') lines.pop()
        expect(split(chunks)).toEqual(lines)
      }),
    )
  })

  test('loses nothing of long lines, keeps to the limit and does not cut characters', () => {
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 2, max: 12 }), (chunks, max) => {
        const [input, pieces] = [chunks.join(''), split(chunks, max)]
        const whole = pieces.map((piece) =>
          piece.endsWith(continuedMark) ? piece.slice(0, -continuedMark.length) : `${piece}\n`,
        )
        expect(whole.every((piece) => piece.length <= max + 1)).toBe(true)
        expect(pieces.every((piece) => !/\p{Surrogate}/u.test(piece))).toBe(true)
        expect(whole.join('').replace(/\n$/, '')).toBe(input.replaceAll('\r\n', '\n').replace(/\n$/, ''))
      }),
    )
  })

  test('does not cut a line of just the limit', () => {
    expect(split(['abc\r\n'], 3)).toEqual(['abc'])
    expect(split(['abcd'], 3)).toEqual([`abc${continuedMark}`, 'd'])
  })
})
