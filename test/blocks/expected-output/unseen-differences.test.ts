import { describe, expect, test } from 'vitest'
import { describeStream } from '../../../src/blocks/compare/describe-stream.ts'
import { compareLines } from '../../../src/blocks/expected-output/compare-lines.ts'
import { formatLineDiff } from '../../../src/blocks/expected-output/line-diff.ts'
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

describe('a difference shows', () => {
  test.for([
    ['a blank at the end of what is expected', 'a ', 'a', '- a·\n+ a', '`·` is a space'],
    ['a blank at the end of the output', 'a', 'a ', '- a\n+ a\\x20 (esc)', undefined],
    ['a tab against blanks', 'a    b', 'a\tb', '- a····b\n+ a→b', '`·` is a space, `→` is a tab'],
    ['one blank less', 'a  b', 'a b', '- a··b\n+ a·b', '`·` is a space'],
    ['a no-break space', 'a\u00A0b', 'a b', '- a\\u00a0b\n+ a·b', '`\\u00a0` is a no-break space, `·` is a space'],
    ['a zero-width space', 'a\u200Bb', 'ab', '- a\\u200bb\n+ ab', '`\\u200b` is a zero-width space'],
    [
      'curly quotes',
      '“a”',
      '"a"',
      '- \\u201ca\\u201d\n+ "a"',
      '`\\u201c` is a curly quote, `\\u201d` is a curly quote',
    ],
    ['an accent of its own', 'é', 'e\u0301', '- \\u00e9\n+ e\\u0301', undefined],
    ['a letter of another alphabet', 'dоne', 'done', '- d\\u043ene\n+ done', '`\\u043e` is a Cyrillic letter'],
    [
      'a blank behind a pattern',
      '{{n:/\\d+/}} items ',
      '12 items',
      '- {{n:/\\d+/}}·items·\n+ 12·items',
      '`·` is a space',
    ],
    ['nothing of that where it can be seen', 'a b c', 'a b d', '- a b c\n+ a b d', undefined],
  ] as const)('%s', ([, expected, printed, diff, legend]) => {
    const shown = differ(expected, printed)
    expect(shown?.split('\n\n')[0]).toBe(diff)
    if (legend !== undefined)
      expect(shown?.split('\n\n')[1]).toBe(
        `These lines look alike, so what differs is shown: ${legend}. Correct the line marked \`-\` in the spec, or what prints the other.`,
      )
  })

  test('the partner of a line that is not at its place', () => {
    const lines = [
      { mark: '-', text: 'one' },
      { mark: '-', text: 'two ' },
      { mark: '+', text: 'two' },
    ] as const
    expect(formatLineDiff(lines)).toMatch(/^- one\n- two·\n\+ two\n\nThese/)
  })
})
