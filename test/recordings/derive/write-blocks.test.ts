import { expect, it } from 'vitest'
import type { CommandPiece, Piece } from '../../../src/recordings/derive/piece.ts'
import { writeBlocks } from '../../../src/recordings/derive/write-blocks.ts'
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

it.each([
  ['cd deep && ls', '$ (cd deep && ls)'],
  ['export A=1; show', '$ (export A=1; show)'],
  ['A=1; show $A', '$ (A=1; show $A)'],
  ['exit 3', '$ (exit 3)'],
  ['(cd x); show', '$ ( (cd x); show)'],
  ['f() { echo; }; f', '$ (f() { echo; }; f)'],
  ['set -e\ncd x\nls', '$ (\n> set -e\n> cd x\n> ls\n> )'],
  ['A=1 show', '$ A=1 show'],
  ["echo 'cd x'", "$ echo 'cd x'"],
  ['show --set x', '$ show --set x'],
  ['if true; then cd x; fi', '$ (if true; then cd x; fi)'],
  ['if ! cd x; then ls; fi', '$ (if ! cd x; then ls; fi)'],
  ['case a in a) cd x;; esac', '$ (case a in a) cd x;; esac)'],
  ['cd sub && node a.mjs # run it', '$ (\n> cd sub && node a.mjs # run it\n> )'],
  ["cd sub && grep '#' a#b", "$ (cd sub && grep '#' a#b)"],
  [String.raw`cd x && find . -exec cat {} \;`, String.raw`$ (cd x && find . -exec cat {} \;)`],
  ['cd x; ls;', '$ (cd x; ls)'],
  ['id=$(node x.mjs add "a b"); show $id', '$ (id=$(node x.mjs add "a b"); show $id)'],
  ['id="$(node x.mjs "$(a b)")"; show', '$ (id="$(node x.mjs "$(a b)")"; show)'],
  ['id=`a b`;show', '$ (id=`a b`;show)'],
  ['A=1 B="c d"; show', '$ (A=1 B="c d"; show)'],
  ['a=(1 2); show', '$ (a=(1 2); show)'],
  ['A=1 # so', '$ (\n> A=1 # so\n> )'],
  ['A=1 B="c d" show', '$ A=1 B="c d" show'],
  ['echo "; cd x" $(b a=1)', '$ echo "; cd x" $(b a=1)'],
  ['ls # and cd x; export A', '$ ls # and cd x; export A'],
  ["cat <<'E'\ncd x\nE", "$ cat <<'E'\n> cd x\n> E"],
  ['(( 1 < 2 )) && ls', '$ (( 1 < 2 )) && ls'],
  ['cd x; node a.mjs &', '$ (cd x; node a.mjs &)'],
  ['echo a \\', '$ echo a \\\\'],
])('keeps what changes a shell in one of its own: %s', (text, expected) => {
  expect(write(command(text))).toBe(`\`\`\`console\n${expected}\n\`\`\``)
})

it('writes the first files as blocks, and a later one by a command', () => {
  const file: Piece = { kind: 'file', path: 'a b.txt', content: 'one\nEOF\n' }
  expect(write(file, command('cat'), file)).toBe(
    [
      '```text file="a b.txt"\none\nEOF\n```',
      "```console\n$ cat\n$ cat > 'a b.txt' <<'EOF_'\n> one\n> EOF\n> EOF_\n```",
    ].join('\n\n'),
  )
})

it('writes a file twice, one without a newline at its end, and one in a folder by commands', () => {
  const first: Piece = { kind: 'file', path: 'a.txt', content: 'one\n' }
  const file = (path: string, content: string): Piece => ({ kind: 'file', path, content })
  const all = [first, file('a.txt', 'two\n'), file('sub/b', "it's\nopen"), file('c', ''), command('x'), file('d/e', '')]
  expect(write(...all)).toBe(
    [
      '```text file=a.txt\none\n```',
      "```console\n$ cat > a.txt <<'EOF'\n> two\n> EOF\n$ mkdir -p sub && printf %s 'it'\\''s\n> open' > sub/b\n```",
      '```text file=c\n\n```',
      '```console\n$ x\n$ mkdir -p d && : > d/e\n```',
    ].join('\n\n'),
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
