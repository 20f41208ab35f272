import { describe, expect, test } from 'vitest'
import { escapeLine, needsEscape, unescapeLine } from '../../../src/blocks/expected-output/escape-line.ts'
import { textOfBytes } from '../../../src/system/text/byte-text.ts'
import fc, { anyCharacter } from '../../support/fast-check.ts'

function read(text: string): string {
  const result = unescapeLine(text)
  return result.ok ? result.text : `${result.index}: ${result.message}`
}

describe('an escape', () => {
  test.each([
    ['plain', 'plain'],
    [String.raw`a\tb`, 'a\tb'],
    [String.raw`\a\b\e\E\f\r\v`, '\x07\b\x1B\x1B\f\r\v'],
    [String.raw`\\ \' \" \?`, `\\ ' " ?`],
    [String.raw`\x41\x4`, 'A\x04'],
    [String.raw`\101\0`, 'A\0'],
    [String.raw`\u00e9\U1F600`, 'é😀'],
    [String.raw`\xc3\xa9`, 'é'],
    [String.raw`\303\251`, 'é'],
    [String.raw`\x41g`, 'Ag'],
    ['é\\x41', 'éA'],
    ['', ''],
  ])('%s', (text, decoded) => {
    expect(read(text)).toBe(decoded)
  })

  test('of a byte that is no UTF-8 stays that byte', () => {
    expect(read(String.raw`a\xff`)).toBe(textOfBytes(Buffer.from([0x61, 0xff])))
  })

  test.each([
    [String.raw`ab\q`, '2: `\\q` is no escape. Write a backslash as `\\\\`.'],
    ['end\\', '3: `\\` is no escape. Write a backslash as `\\\\`.'],
    [String.raw`\400`, '0: `\\400` is more than a byte: it ends at `\\377`.'],
    [String.raw`x\U110000`, '1: `\\U110000` is no character of Unicode.'],
    [String.raw`\ud800`, '0: `\\ud800` is no character of Unicode.'],
    [String.raw`a\n`, '1: A line of output never holds a newline. Write two lines.'],
    [String.raw`a\x0a`, '1: A line of output never holds a newline. Write two lines.'],
    [String.raw`a\012`, '1: A line of output never holds a newline. Write two lines.'],
  ])('%s is refused', (text, problem) => {
    expect(read(text)).toBe(problem)
  })
})

describe('a line that cannot stand as it is', () => {
  test.each([
    ['plain äöü 漢字 😀', false],
    ['blank at the end ', true],
    ['tab at the end\t', true],
    ['\tbegins with a tab', true],
    ['  \tblanks and a tab', true],
    ['a\tb', false],
    ['bell\x07', true],
    ['carriage return\r', true],
    ['zero\u200Bwidth', true],
    ['right\u202Eto left', true],
    ['\uFEFFmark', true],
    ['del\x7F', true],
    ['nel\u0085', true],
    ['', false],
  ])('%j: %s', (line, needed) => {
    expect(needsEscape(line)).toBe(needed)
  })
})

describe('a line in escapes', () => {
  test.each([
    ['a\tb', 'a\\tb'],
    ['a\\b', 'a\\\\b'],
    ['blank ', 'blank\\x20'],
    ['\x1B[1m', '\\x1b[1m'],
    ['\u200B', '\\u200b'],
    ['\\u200b', '\\\\u200b'],
    ['é', 'é'],
  ])('%j', (line, escaped) => {
    expect(escapeLine(line)).toBe(escaped)
  })

  test('is read as that line again, whatever it holds', () => {
    const bytes = fc.uint8Array({ maxLength: 12 }).map((each) => textOfBytes(Buffer.from(each)))
    const line = fc
      .oneof(fc.string({ unit: anyCharacter, maxLength: 12 }), bytes)
      .map((each) => each.replaceAll('\n', ''))
    fc.assert(
      fc.property(line, (each) => {
        expect(read(escapeLine(each))).toBe(each)
        expect(needsEscape(escapeLine(each))).toBe(false)
      }),
    )
  })
})
