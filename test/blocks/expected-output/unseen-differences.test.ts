import { describe, expect, test } from 'vitest'
import { describeStream } from '../../../src/blocks/command-result/describe-stream.ts'
import { compareLines } from '../../../src/blocks/expected-output/compare-lines.ts'
import { readOutput } from '../../../src/blocks/expected-output/output-lines.ts'

/** The difference that a user sees between a line as written in a transcript and a line of output. */
function differ(expected: string, printed: string): string | undefined {
  const actual = readOutput(`${printed}\n`)
  const result = compareLines([expected], actual, { captures: new Map() })
  const stream = {
    name: 'output',
    expected: [expected],
    printed,
    form: 'transcript',
    line: 1,
    fenceLine: 1,
    source: [],
  } as const
  const problem = describeStream({ stream, actual, result }, { what: '`x`', redact: (text) => text })
  return problem?.message.split('\n').slice(1).join('\n')
}

const legend =
  'What differs and cannot be seen is marked: `·` is a space, `→` is a tab, and `\\u…` is another character. Correct the line marked `-` in the spec, or what prints the other.'

describe('a difference shows', () => {
  test.for([
    ['a blank at the end of what is expected', 'a ', 'a', '- a·\n+ a'],
    ['a tab against blanks', 'a    b', 'a\tb', '- a····b\n+ a→b'],
    ['one blank less', 'a  b c', 'a b c', '- a··b·c\n+ a·b·c'],
    ['a no-break space', 'a\u00A0b', 'a b', '- a\\u00a0b\n+ a·b'],
    ['a zero-width space', 'a\u200Bb', 'ab', '- a\\u200bb\n+ ab'],
    ['an accent of its own', 'é', 'e\u0301', '- é\n+ e\\u0301'],
    ['a blank behind a pattern', '{{n:/\\d+/}} items ', '12 items', '- {{n:/\\d+/}} items·\n+ 12 items'],
    ['a blank in front of another difference', 'a b ', 'a c', '- a b·\n+ a c'],
  ] as const)('%s', ([, expected, printed, diff]) => {
    expect(differ(expected, printed)).toBe(`${diff}\n\n${legend}`)
  })

  test.for([
    ['a blank at the end of the output', 'a', 'a ', '- a\n+ a\\x20 (esc)'],
    ['a blank at the end of both', 'a b ', 'a c ', '- a b\n+ a c\\x20 (esc)'],
    ['what can be seen', 'a b c', 'a b d', '- a b c\n+ a b d'],
  ] as const)('no marks: %s', ([, expected, printed, diff]) => {
    expect(differ(expected, printed)).toBe(diff)
  })
})
