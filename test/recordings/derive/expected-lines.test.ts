import { expect, it } from 'vitest'
import { compareLines } from '../../../src/blocks/expected-output/compare-lines.ts'
import { readOutput } from '../../../src/blocks/expected-output/output-lines.ts'
import { expectedLinesOf } from '../../../src/recordings/derive/expected-lines.ts'
import type { CommandPiece } from '../../../src/recordings/derive/piece.ts'

function piece(output: string, quotes: readonly string[] = [], more: Partial<CommandPiece> = {}): CommandPiece {
  const base = { kind: 'command', command: 'show', cwd: '', exitCode: 0, mints: [] } as const // a literal kind
  return { ...base, output, quotes, ...more }
}

function expectedOf(one: CommandPiece, outputs: readonly (readonly string[])[]): readonly string[] | string {
  const samples = outputs.map((lines) => ({ lines, captures: new Map<string, string>() }))
  const found = expectedLinesOf(one, samples, {
    moments: [new Date('2026-11-22T12:00:00Z')],
    nameFor: (kind) => `any_${kind}`,
  })
  return found.ok ? found.lines : found.why
}

const long = Array.from({ length: 1_001 }, (_, index) => `row ${index} of x`)

it.each<[string, CommandPiece, readonly (readonly string[])[], readonly string[]]>([
  ['anything of a command that was not quoted', piece('a\n'), [['a'], ['a']], ['...']],
  ['nothing of one that is silent', piece(''), [[], []], []],
  [
    'all of an output of which a line was quoted',
    piece('a\nb\n', ['b']),
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a', 'b'],
  ],
  [
    'of a long output the line that was quoted',
    piece(`${long.join('\n')}\n`, ['row 7 of x']),
    [long, long],
    ['...', 'row 7 of x', '...'],
  ],
  [
    'a quoted line whose time differs',
    piece('done in 3 ms\n', ['done in 3 ms']),
    [['done in 4 ms'], ['done in 5 ms']],
    [String.raw`done in \d+(?:\.\d+)?(?: ms| s) (re)`],
  ],
  [
    'all lines in a row that were quoted, also those that are there twice',
    piece('{\n  a {\n  }\n  b {\n  }\n}\nend\n', ['a {\n  }\n  b {\n  }\n}']),
    [
      ['{', '  a {', '  }', '  b {', '  }', '}', 'end'],
      ['{', '  a {', '  }', '  b {', '  }', '}', 'end'],
    ],
    ['{', '  a {', '  }', '  b {', '  }', '}', 'end'],
  ],
  [
    'any text for a line that was not quoted and is another one each time',
    piece('1 hit\ndone\n', ['done']),
    [
      ['2 hits', 'done'],
      ['3 hits', 'done'],
    ],
    ['...', 'done'],
  ],
  [
    'the quoted line where others come and go',
    piece('ok\n', ['ok']),
    [['ok'], ['warming up', 'ok']],
    ['...', 'ok', '...'],
  ],
])('expects %s', (_what, one, outputs, lines) => {
  expect(expectedOf(one, outputs)).toEqual(lines)
})

it.each<[string, CommandPiece, readonly (readonly string[])[], RegExp]>([
  ['a number that counts on', piece('run 1\n', ['run 1']), [['run 2'], ['run 3']], /something else each time/],
  [
    'a quote that does not come again',
    piece('all fine\n', ['all fine']),
    [['all bad'], ['all bad']],
    /did not print "all fine" again/,
  ],
])('refuses %s', (_what, one, outputs, why) => {
  expect(expectedOf(one, outputs)).toMatch(why)
})

it('captures a minted value once and recalls it in the lines below', () => {
  const mints = [{ name: 'value1', token: 'a1b2c3d4', source: '[0-9a-f]+' }]
  const tokens = new Map([['value1', 'a1b2c3d4']])
  const one = piece('new a1b2c3d4\nsee a1b2c3d4\n', ['new a1b2c3d4', 'see a1b2c3d4'], { mints })
  const samples = ['11aa22bb', '33cc44dd'].map((id) => ({
    lines: [`new ${id}`, `see ${id}`],
    captures: new Map([['value1', id]]),
  }))
  expect(expectedLinesOf(one, samples, { moments: [], nameFor: (kind) => kind, tokens })).toEqual({
    ok: true,
    lines: ['new {{value1:/[0-9a-f]+/}}', 'see {{value1}}'],
  })
})

const printed = ['order ID created', 'xIDx', 'ID', 'total 5', 'see ID/OTHER and ID', 'at ID', 'for OTHER']
const rotated = printed.map((_, from) => [...printed.slice(from), ...printed.slice(0, from)])

it.each(rotated.map((lines, index) => [lines, index % 2 === 1] as const))(
  'captures each value once and first, whatever was quoted: %j, of another length: %s',
  (lines, isLonger) => {
    const values = [
      ['a1b2c3d4', 'T-4711x'],
      ['11aa22bb', 'T-1234y'],
      ['33cc44dd', 'T-9876z'],
    ] as const // pairs
    const fill = ([id, other]: readonly [string, string]): readonly string[] =>
      lines.map((line) => line.replaceAll('ID', id).replaceAll('OTHER', other))
    const captures = values.map(
      ([id, other]) =>
        new Map([
          ['value1', id],
          ['value2', other],
        ]),
    )
    const mints = [
      { name: 'value1', token: values[0][0], source: '[0-9a-f]+' },
      { name: 'value2', token: values[0][1], source: String.raw`[\w-]+` },
    ]
    const samples = values.slice(1).map((one, index) => ({
      lines: isLonger && index === 1 ? ['warming up', ...fill(one)] : fill(one),
      captures: captures[index + 1] ?? new Map(),
    }))
    for (const quote of ['total 5', ...fill(values[0]).filter((line) => !line.startsWith('x'))]) {
      const one = piece(`${fill(values[0]).join('\n')}\n`, [quote], { mints })
      const found = expectedLinesOf(one, samples, {
        moments: [],
        nameFor: (kind) => kind,
        ...(captures[0] && { tokens: captures[0] }),
      })
      const text = found.ok ? found.lines.join('\n') : found.why
      for (const { name } of mints) {
        expect(text.split(`{{${name}:/`)).toHaveLength(2)
        expect(text.indexOf(`{{${name}`)).toBe(text.indexOf(`{{${name}:/`))
      }
      for (const sample of samples) {
        expect(
          compareLines(text.split('\n'), readOutput(`${sample.lines.join('\n')}\n`), { captures: new Map() }),
        ).toMatchObject({
          status: 'match',
          captures: sample.captures,
        })
      }
    }
  },
)

it.each([
  ['one line', ['row 4990 of x']],
  ['several lines', ['row 10 of x\nrow 11 of x\nrow 12 of x', 'of y', 'row 2 of x']],
])('looks for %s of a very long output alone', (_what, quotes) => {
  const rows = Array.from({ length: 5000 }, (_, index) => `row ${index} of x`)
  const begin = performance.now()
  const found = expectedOf(piece(`${rows.join('\n')}\nof y\n`, quotes), [
    [...rows, 'of y'],
    ['warming up', ...rows, 'of y'],
  ])
  expect(performance.now() - begin).toBeLessThan(20_000)
  expect(found).toEqual(expect.arrayContaining([quotes.at(-1)]))
})
