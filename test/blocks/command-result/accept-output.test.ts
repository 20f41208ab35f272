import { describe, expect, test } from 'vitest'
import { acceptOutput } from '../../../src/blocks/command-result/compare-output.ts'
import { compareLines } from '../../../src/blocks/expected-output/compare-lines.ts'
import { readOutput } from '../../../src/blocks/expected-output/output-lines.ts'
import { rewriteSource } from '../../../src/blocks/expected-output/rewrite-markdown.ts'

const key = '-----BEGIN\nabc\nEND-----'
const redact = (text: string): string => text.replaceAll(key, '[KEY]').replaceAll('hunter2', '[PASSWORD]')

/** What becomes of lines below a `$ ` command that prints this. */
function accept(
  source: readonly string[],
  printed: string,
  { exitCode = 0, limitMs = 5000 } = {},
): string | readonly string[] {
  const match = /^\[(\d+)\]$/.exec(source.at(-1) ?? '')
  const expected = match ? source.slice(0, -1) : source
  const actual = readOutput(printed)
  const stream = { name: 'output', expected, printed, form: 'transcript', line: 3, fenceLine: 1, source } as const // a literal form
  const result = compareLines(expected, actual, { captures: new Map(), limitMs })
  const accepted = acceptOutput(
    {
      what: 'it',
      redact,
      line: 2,
      expectedExitCode: Number(match?.[1] ?? 0),
      actualExitCode: exitCode,
      printed: { stdout: '', stderr: '' },
      streams: [stream],
      captures: new Map(),
    },
    [{ stream, actual, result }],
  )
  if (!accepted.ok) return accepted.refusal ?? 'not accepted'
  const file = ['```console', '$ x', ...source, '```', ''].join('\n')
  return rewriteSource(file, accepted.rewrites).split('\n').slice(2, -2)
}

describe('output that differs', () => {
  test.each([
    [['a'], 'b\n', 0, ['b']],
    [['a', '[1]'], 'a\n', 0, ['a']],
    [['a', '[1]'], 'a\n', 2, ['a', '[2]']],
    [['[3]', '[1]'], '[3]\n', 0, ['[3] (equal)']],
    [['a* (glob)'], 'ab\n', 4, ['a* (glob)', '[4]']],
    [[], '\n', 0, [' (equal)']],
    [['a', 'b'], '', 0, []],
  ])('%j and then %j with exit code %i becomes %j', (source, printed, exitCode, expected) => {
    expect(accept(source, printed, { exitCode })).toEqual(expected)
  })

  test('is not accepted where a pattern is too slow', () => {
    expect(accept(['(a+)+b (re)'], `${'a'.repeat(40)}\n`, { limitMs: 100 })).toBe('not accepted')
  })
})

describe('a secret', () => {
  const refusal = expect.stringMatching(/^The output holds a secret/)

  test('is never written, in one line or several', () => {
    expect(accept(['a'], 'hunter2\n')).toEqual(refusal)
    expect(accept(['a'], `${key}\n`)).toEqual(refusal)
    expect(accept(['-* (glob)', 'END* (glob)'], `${key}\n`)).toEqual(refusal)
  })

  test('may stay behind a pattern', () => {
    expect(accept(['password: * (glob)', 'old'], 'password: hunter2\nnew\n')).toEqual(['password: * (glob)', 'new'])
  })
})
