import { expect, it } from 'vitest'
import { isMatch } from '../../../src/recordings/derive/expected-lines.ts'
import { sourceOfWord } from '../../../src/recordings/derive/volatile-text.ts'
import { generalizeLine, type LineSample } from '../../../src/recordings/derive/generalize-line.ts'

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
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
  ['has another id', ['id a1b2c3', 'id 99ffee'], 'id [0-9a-f]+ (re)'],
  ['has an id that is all digits once', ['id 123456', 'id abc4ef'], 'id [0-9a-f]+ (re)'],
  ['has an id of another length', ['id A1B2C3D', 'id 99FFEE'], 'id [0-9A-F]+ (re)'],
  ['took another time', ['ok (12 ms)', 'ok (9.5 ms)'], String.raw`ok \(\d+(?:\.\d+)?(?: ms| s)\) (re)`],
  ['took another unit', ['ok (980ms)', 'ok (1.1s)'], String.raw`ok \(\d+(?:\.\d+)?(?:ms|s)\) (re)`],
  ['has a date of today', ['on 2026-11-22', 'on 2026-11-22'], `on ${day} (re)`],
  ['has one without marks', ['on 20261122', 'on 20261122'], `on ${day.replaceAll('-(', '(')} (re)`],
  ['has one in words of another year', ['on 1 Jan 2020', 'on 1 Jan 2020'], 'on 1 Jan 2020'],
  ['has a date of another day', ['on 2020-01-01', 'on 2020-01-01'], 'on 2020-01-01'],
  ['has a date of next month', ['by 2026-12-24', 'by 2026-12-24'], `by ${day} (re)`],
  ['has a time of another minute', ['from 09:00', 'from 09:00'], 'from 09:00'],
  ['is filled up with blanks', ['| 9.5 ms   |', '| 10.5 ms  |'], String.raw`\| \d+(?:\.\d+)?(?: ms| s) +\| (re)`],
  ['has another port', ['port 4711', 'port 4712'], String.raw`port \d+ (re)`],
  ['has another path', ['in /tmp/a1/x', 'in /tmp/b2/x'], String.raw`in \/[\w.\/@-]+\/x (re)`],
  ['does not end', ['id a1b2c3 (no-eol)', 'id 99ffee (no-eol)'], 'id [0-9a-f]+ (re) (no-eol)'],
])('stands for a line that %s', (_what, lines, expected) => {
  expect(generalize(lines)).toBe(expected)
})

it.each([
  ...['Sun, 22 Nov 2026 on', 'on Sun Nov 22 2026', 'on Sunday, November 22, 2026', '22-Nov-2026', 'on 11/22/2026'],
  ...['2026/11/22', '22.11.2026.', 'Sun Nov 22 10:11:12 UTC', 'Nov 22 10:11 notes.txt'],
])('stands for any day, as %j has today', (line) => {
  const later = line.replaceAll('22', '23').replaceAll('Sun', 'Mon')
  expect(isMatch(generalize([line, line]) ?? '', later)).toBe(true)
  const far = line.replace('2026', '2020').replace('Nov 22 10', 'May 22 10')
  expect(generalize([far, far])).toBe(far)
})

it.each([
  ['on 2026-11-22T10:11:12Z', 'on 2026-11-22T10:11:13Z', 'on 2026-13-45T10:11:12Z', 'on 2026-11-22T10:61:12Z'],
  ['it is 10:11:12', 'it is 10:11:13', 'it is 10:71:12', 'it is 25:11:12'],
  ['took 12 ms', 'took 13 ms', 'took 12 min', 'took 12ms'],
  [
    ...['id 0f0f0f0f-1a2b-4c3d-8e9f-000011112222', 'id 1f0f0f0f-2a2b-4d3d-9e9f-100011112222'],
    ...['id 0f0f0f0f-1a2b-4c3d-8e9f-00001111222', 'id 0F0F0F0F-1A2B-4C3D-8E9F-000011112222'],
  ],
])('expects nothing that the values %j and %j cannot be: %j, %j', (...lines) => {
  const expected = generalize(lines.slice(0, 2)) ?? ''
  expect(lines.map((line) => isMatch(expected, line))).toEqual([true, true, false, false])
})

it.each([
  ['ord_a1b2c3', ['ord_99ffee', 'ord_0a0a0a'], 'ord_[0-9a-f]+'],
  ['8', ['12'], String.raw`\d+`],
  ['run-Zk3q', ['run-7tPx'], 'run-[0-9a-zA-Z]{4}'],
  ['a-b1', ['a1-b-c'], String.raw`[\w-]+`],
  ['a1b2c3d4', [], '[0-9a-fA-F]+'],
])('captures values of the form of %s, %j', (word, others, expected) => {
  expect(sourceOfWord(word, others)).toBe(expected)
})

it.each([
  ['another plain number: something counts on', ['run 1', 'run 2']],
  ['another count', ['found: 3 files', 'found: 4 files']],
  ['another time of the day that no clock shows', ['won 3:12', 'won 4:12']],
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
    String.raw`order {{value1}} at {{any_clock1:/(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:\s?[AaPp][Mm])?/}}`,
  )
})

it('takes no part of a word for a captured value', () => {
  const captures = new Map([['value1', 'ab12']])
  expect(generalize([{ line: 'xab12', captures }])).toBe('xab12')
})
