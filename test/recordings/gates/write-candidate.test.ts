import { expect, it } from 'vitest'
import type { CommandPiece, Piece } from '../../../src/recordings/derive/piece.ts'
import { writeBlocks, writeCandidate } from '../../../src/recordings/gates/write-candidate.ts'

function command(text: string, more: Partial<CommandPiece> = {}): CommandPiece {
  const base = { kind: 'command', cwd: '', exitCode: 0, output: '', isLook: false, quotes: [], mints: [] } as const // a literal kind
  return { ...base, command: text, ...more }
}

const file = (path: string, content: string): Piece => ({ kind: 'file', path, content })

const service: Piece = { kind: 'service', command: 'node a.mjs', cwd: '' }

it.each<[string, readonly (readonly Piece[])[]]>([
  ['in a file that is written later', [[command('make'), file('run.sh', 'node a.mjs\nmake\n'), command('node a.mjs')]]],
  ['in a file without an end', [[file('run.sh', 'node a.mjs'), command('node a.mjs')]]],
  ['in a file that is written twice', [[file('a', 'ls\n'), file('a', 'ls -l\n'), command('ls')]]],
  ['in a here-document', [[command("cat > x <<'E'\nls\nE"), command('ls')]]],
  ['in longer commands', [[command('cd ls && ls'), command('ls -l'), command('ls')], [command('ls')]]],
  [
    'again and again',
    [
      [command('ls'), command('ls')],
      [command('ls', { cwd: 'a' }), command('ls')],
    ],
  ],
  ['beside a service', [[service, command('node a.mjs')]]],
  ['with fences', [[command('echo "```"'), command('printf "a\n\n```\nb"')]]],
  ['with prompts and exit codes of its own', [[command("cat <<'X'\n$ no\n[2]\nX"), command('echo a\\\n  b')]]],
  ['over several lines', [[command('ls \\\n  a\n\nls'), command('\nls\n'), command('ls')]]],
])('knows each command by its line where it stands %s', (_what, steps) => {
  const commands = steps.flat().filter((piece) => piece.kind === 'command')
  const expectations = new Map(commands.map((piece, index) => [piece, [`out ${index}`]]))
  const written = writeCandidate(
    steps.map((pieces, index) => ({ step: `${index}`, title: `S${index}`, key: '12345678', pieces })),
    expectations,
  )
  const read = written.recording.steps.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'console' ? block.commands : [])),
  )
  const found = read.flatMap(({ line, expected }) => (written.commands.has(line) ? [[line, expected] as const] : [])) // pairs
  expect([...written.commands.values()]).toEqual(commands)
  expect(read.map((one) => one.command)).toEqual(commands.map((one) => one.command))
  expect(found.map(([line]) => line)).toEqual([...written.commands.keys()])
  expect(found.map(([, expected]) => expected)).toEqual(commands.map((_, index) => [`out ${index}`]))
})

function write(...pieces: readonly (Piece | readonly [Piece, readonly string[]])[]): string {
  const expected = pieces.map((one) => ('kind' in one ? ([one, []] as const) : one)) // pairs
  return writeBlocks(
    expected.map(([piece]) => piece),
    new Map(expected.flatMap(([piece, lines]) => (piece.kind === 'command' ? [[piece, lines]] : []))),
  )
}

it('puts commands of one directory into one transcript', () => {
  const text = write(
    [command('one'), ['1', '...']],
    [command('two', { exitCode: 3 }), ['2']],
    command('three', { cwd: 'a b' }),
  )
  expect(text).toBe('```console\n$ one\n1\n...\n$ two\n2\n[3]\n```\n\n```console cwd="a b"\n$ three\n```')
})

it('writes a command as it is, and ends it before the next line', () => {
  expect(write(command('cd x; ls'), command('echo a \\'))).toBe('```console\n$ cd x; ls\n$ echo a \\\\\n```')
})

it('writes files as blocks', () => {
  const file: Piece = { kind: 'file', path: 'a b.txt', content: 'one\n' }
  expect(write(file, { ...file, path: 'c', content: '' })).toBe(
    '```text file="a b.txt"\none\n```\n\n```text file=c\n\n```',
  )
})

it('starts a service and ends the transcript before it', () => {
  const service: Piece = { kind: 'service', command: 'node server.mjs', cwd: 'app', wait: 'port:4711' }
  expect(write(command('a'), service, command('b'))).toBe(
    '```console\n$ a\n```\n\n```sh background cwd=app wait=port:4711\nnode server.mjs\n```\n\n```console\n$ b\n```',
  )
})
