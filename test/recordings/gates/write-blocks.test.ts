import { expect, it } from 'vitest'
import type { CommandPiece, Piece } from '../../../src/recordings/derive/piece.ts'
import { writeBlocks } from '../../../src/recordings/gates/candidate.ts'
import { parseRecording } from '../../../src/spec/recording/parse-recording.ts'

function command(text: string, more: Partial<CommandPiece> = {}): CommandPiece {
  const base = { kind: 'command', cwd: '', exitCode: 0, output: '', isLook: false, quotes: [], mints: [] } as const // a literal kind
  return { ...base, command: text, ...more }
}

function write(...pieces: readonly (Piece | readonly [Piece, readonly string[]])[]): string {
  return writeBlocks(
    pieces.map((one) => ('kind' in one ? { piece: one, expected: [] } : { piece: one[0], expected: one[1] })),
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

it('writes what is read as the same commands', () => {
  const odd = ['echo "```"', 'printf "a\n\n```\nb"', "cat <<'X'\n$ no\n[2]\nX", 'echo a\\\n  b']
  const body = writeBlocks(odd.map((text) => ({ piece: command(text), expected: ['x'] })))
  const source = `# S\n\n<!-- mdtest: key=12345678 -->\n\n${body}\n`
  const { recording, problems } = parseRecording(source, '/x.recording.md')
  expect(problems).toEqual([])
  const read = recording.steps.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'console' ? block.commands.map((one) => one.command) : [])),
  )
  expect(read).toEqual(odd)
})
