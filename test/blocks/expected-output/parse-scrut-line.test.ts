import { describe, expect, test } from 'vitest'
import { compareLines } from '../../../src/blocks/expected-output/compare-lines.ts'
import { readOutput } from '../../../src/blocks/expected-output/output-lines.ts'
import { parseExpected } from '../../../src/blocks/expected-output/parse-expected.ts'
import { rewriteLines } from '../../../src/blocks/expected-output/rewrite-lines.ts'
import { textOfBytes } from '../../../src/system/text/byte-text.ts'

/** What would have to be written, or `match`. */
function compare(expected: readonly string[], output: string | Buffer): readonly string[] | 'match' | 'too-slow' {
  const printed = typeof output === 'string' ? output : textOfBytes(output)
  const actual = readOutput(printed, { keepsAnsi: true })
  const result = compareLines(expected, actual, { captures: new Map(), form: 'scrut' })
  return result.status === 'differs' ? rewriteLines(result.edits, 'scrut') : result.status
}

describe('a line in a test case of scrut', () => {
  test.each([
    ['a', 'a\n'],
    ['...', '...\n'],
    ['{{x}} {{y:/(/}}', '{{x}} {{y:/(/}}\n'],
    ['a (eq)', 'a\n'],
    ['a (equal) (equal)', 'a (equal)\n'],
    ['a (eq+)', 'a\na\n'],
    ['a (?)', ''],
    ['a (no-eol)', 'a'],
    ['a* (glob) (no-eol)', 'a* (glob)'],
    ['a (no-eol) (esc)', 'a\n'],
    ['a (no-eol) (esc)', 'a'],
    ['a* (gl)', 'a b'],
    ['c:\\* (glob)', 'c:\\temp\n'],
    ['\\x1b[1m* (escaped) (glob+)', '\x1B[1ma\n\x1B[1mb\n'],
    ['a\\tb* \\(esc\\) (glob)', 'a\tbc\n'],
    ['a\\tb\\033\\xc3\\xa9\\\\ (escaped)', 'a\tb\x1Bé\\\n'],
    ['a\\nb\\E (esc)', 'a\\nb\\E\n'],
    ['a (esc)', 'a'],
    ['a (re)', 'a'],
    ['{"a": {}} (regex)', '{"a": {}}\n'],
    ['a{2} b{1,2} (re)', 'aa bb\n'],
    ['a{2,} (re)', 'a{2,}\n'],
    ['\\"a\\"\\_\\1\\/ (re)', '"a"_1/\n'],
    ['[a]b] (re)', ']\n'],
    ['a] [b] (re)', 'a] b\n'],
    ['[[a] (re)', '[\n'],
    ['sea|sand (re)', 'seaside\n'],
    ['sea|sand (re)', 'quicksand\n'],
    ['a ()', 'a ()\n'],
  ])('%j matches %j', (line, output) => {
    expect(compare([line], output)).toBe('match')
  })

  test.each([
    ['a', 'a', ['a (no-eol)']],
    ['a (+)', 'a\na', ['a', 'a (no-eol)']],
    ['a (no-eol)', 'a\n', ['a']],
    ['a (re) (no-eol)', 'a (re)\n', ['a (re) (equal)']],
    ['a (esc)', 'a\t', ['a\\t (esc)']],
    ['a (re)', 'ab\n', ['ab']],
    ['a', '\u200B\x1B[1m\\u200b\n', ['\\xe2\\x80\\x8b\\x1b[1m\\\\u200b (esc)']],
    ['a', Buffer.from([0xff, 0x0a]), ['\\xff (esc)']],
    ['a', '[2]\n$ b\n> c\n', ['[2] (equal)', '\\x24 b (esc)', '\\x3e c (esc)']],
    ['a', 'b (no-eol)\nb (gl)', ['b (no-eol) (equal)', 'b (gl) (no-eol)']],
  ])('%j is not %j', (line, output, rewritten) => {
    expect(compare([line], output)).toEqual(rewritten)
    expect(compare(rewritten, output)).toBe('match')
  })

  test.each([
    ['a(b (re)', 'is no regular expression'],
    ['a\\x1 (esc)', 'two hexadecimal digits'],
    ['a\\0 (esc)', 'two octal digits'],
    ['a\\ (esc)', 'A backslash at the end'],
    ['a\\x0a (esc)', 'never holds a newline'],
    ['a (no-eol?)', 'takes no `?`'],
  ])('%j is a problem', (line, message) => {
    expect(parseExpected([line], 'scrut').problems).toEqual([expect.objectContaining({ line: 0 })])
    expect(parseExpected([line], 'scrut').problems[0]?.message).toContain(message)
  })
})
