import { expect, it } from 'vitest'
import { generalizeLine, type LineSample } from '../../../src/recordings/derive/generalize-line.ts'

const moments = [new Date('2026-11-22T10:11:12Z')]

function generalize(
  lines: readonly (string | LineSample)[],
  captured: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const samples = lines.map((line) => (typeof line === 'string' ? { line, captures: new Map<string, string>() } : line))
  let count = 0
  const nameFor = (kind: string): string => `any_${kind}${(count += 1)}`
  return generalizeLine(samples, { moments, captured, nameFor })
}

it.each([
  ['is the same', ['total 3', 'total 3'], 'total 3'],
  ['has another id', ['id a1b2c3', 'id 99ffee'], 'id [0-9a-fA-F]+ (re)'],
  ['has an id that is all digits once', ['id 123456', 'id abc4ef'], 'id [0-9a-fA-F]+ (re)'],
  [
    'took another time',
    ['ok (12 ms)', 'ok (9.5 ms)'],
    String.raw`ok \(\d+(?:\.\d+)? ?(?:ms|µs|s|sec|seconds|min)\) (re)`,
  ],
  ['has a date of today', ['on 2026-11-22', 'on 2026-11-22'], String.raw`on \d{4}-\d\d-\d\d (re)`],
  ['has a date of another day', ['on 2020-01-01', 'on 2020-01-01'], 'on 2020-01-01'],
  ['has a date of next month', ['by 2026-12-24', 'by 2026-12-24'], String.raw`by \d{4}-\d\d-\d\d (re)`],
  ['has a time of another minute', ['from 09:00', 'from 09:00'], 'from 09:00'],
  [
    'is filled up with blanks',
    ['| 9.5 ms   |', '| 10.5 ms  |'],
    String.raw`\| \d+(?:\.\d+)? ?(?:ms|µs|s|sec|seconds|min) +\| (re)`,
  ],
  ['has another port', ['port 4711', 'port 4712'], String.raw`port \d+(?:\.\d+)? (re)`],
  ['has another path', ['in /tmp/a1/x', 'in /tmp/b2/x'], String.raw`in \/[\w.\/@-]+\/x (re)`],
  ['does not end', ['id a1b2c3 (no-eol)', 'id 99ffee (no-eol)'], 'id [0-9a-fA-F]+ (re) (no-eol)'],
])('stands for a line that %s', (_what, lines, expected) => {
  expect(generalize(lines)).toBe(expected)
})

it.each([
  ['another plain number: something counts on', ['run 1', 'run 2']],
  ['another count', ['found: 3 files', 'found: 4 files']],
  ['another time of the day that no clock shows', ['won 3:12', 'won 4:12']],
  ['another day', ['on Mon Mar 2 2020', 'on Tue Mar 3 2020']],
  ['other words', ['added milk', 'added bread']],
  ['another form', ['a 2020-01-01', 'a 12']],
  ['an end in one of the two', ['a1b2c3 (no-eol)', 'a1b2c4']],
  ['a mark of its own', [String.raw`a\t2026-11-22 (esc)`, String.raw`a\t2026-11-22 (esc)`]],
  ['no sample', []],
])('gives up on lines with %s', (_what, lines) => {
  expect(generalize(lines)).toBeUndefined()
})

it('captures a value where it is minted, and recalls it elsewhere', () => {
  const samples = ['a1b2c3d4', '0f0f0f0f'].map((id) => ({
    line: `order ${id} at 08:30:00`,
    captures: new Map([['value1', id]]),
  }))
  const captured = new Map([['value1', '[0-9a-f]+']])
  expect(generalize(samples, captured)).toBe('order {{value1:/[0-9a-f]+/}} at 08:30:00')
  expect(generalize(samples)).toBe('order {{value1}} at 08:30:00')
})

it('gives what differs beside a captured value a name of its own', () => {
  const samples = [
    { line: 'order a1b2c3d4 at 10:11:12', captures: new Map([['value1', 'a1b2c3d4']]) },
    { line: 'order ffffff00 at 10:11:13', captures: new Map([['value1', 'ffffff00']]) },
  ]
  expect(generalize(samples)).toBe(
    String.raw`order {{value1}} at {{any_clock1:/\d\d?:\d\d:[\d.,]+(?:\s?[AaPp][Mm])?/}}`,
  )
})

it('takes no part of a word for a captured value', () => {
  const captures = new Map([['value1', 'ab12']])
  expect(generalize([{ line: 'xab12', captures }])).toBe('xab12')
})
