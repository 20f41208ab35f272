import { describe, expect, test } from 'vitest'
import { parseTranscript } from '../../../src/spec/blocks/parse-transcript.ts'
import { collectProblems } from '../collect-problems.ts'

type Shown = readonly [command: string, line: number, expected: readonly string[], exitCode: number]

function read(...lines: readonly string[]): { readonly commands: readonly Shown[]; readonly found: readonly string[] } {
  const { report, found } = collectProblems()
  const commands = parseTranscript(lines.join('\n'), { codeLine: 10, column: 3 }, report)
  return {
    commands: commands.map(({ command, line, expected, exitCode }) => [command, line, expected, exitCode]),
    found,
  }
}

describe('a transcript', () => {
  test.each<[string, readonly string[], readonly Shown[]]>([
    [
      'commands one after the other',
      ['$ a', '$ b'],
      [
        ['a', 10, [], 0],
        ['b', 11, [], 0],
      ],
    ],
    ['output', ['', '$ a', 'x', '', 'y'], [['a', 11, ['x', '', 'y'], 0]]],
    ['an exit code', ['$ a', 'x', '[3]', ''], [['a', 10, ['x'], 3]]],
    ['an exit code alone', ['$ a', '[255]'], [['a', 10, [], 255]]],
    ['brackets in the middle', ['$ a', '[3]', 'x'], [['a', 10, ['[3]', 'x'], 0]]],
    ['lines that continue by a mark', ['$ a', '> b', '>', '> > c', 'x'], [['a\nb\n\n> c', 10, ['x'], 0]]],
    ['a mark in output', ['$ a', 'x', '> y'], [['a', 10, ['x', '> y'], 0]]],
    ['a backslash', ['$ a \\', '  b', 'x'], [['a \\\n  b', 10, ['x'], 0]]],
    ['two backslashes, which are one', ['$ a \\\\', 'x'], [['a \\\\', 10, ['x'], 0]]],
    ['a dollar that is output', ['$ a', '$5', '$', 'x'].toSpliced(2, 1), [['a', 10, ['$5', 'x'], 0]]],
    ['other languages', ['$ echo 漢字', '漢字'], [['echo 漢字', 10, ['漢字'], 0]]],
  ])('reads %s', (_name, lines, expected) => {
    expect(read(...lines)).toEqual({ commands: expected, found: [] })
  })

  test.each<[string, readonly string[], string]>([
    ['no command', [''], 'empty-transcript 9:3'],
    ['output before a command', ['', 'x', '$ a'], 'output-before-command 11:3'],
    ['an empty command', ['$ ', 'x'], 'empty-command 10:3'],
    ['a dollar alone', ['$ a', '$'], 'empty-command 11:3'],
    ['an exit code that is none', ['$ a', 'x', '[256]'], 'bad-exit-code 12:3'],
    ['a command that goes on and does not', ['$ a', '> b \\'], 'unfinished-command 11:3'],
  ])('reports %s', (_name, lines, problem) => {
    expect(read(...lines).found).toEqual([problem])
  })
})
