import { expect, it } from 'vitest'
import type { CommandPiece, Piece } from '../../../src/recordings/derive/piece.ts'
import { writeCandidate } from '../../../src/recordings/gates/candidate.ts'

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
  expect(found.map(([line]) => line)).toEqual([...written.commands.keys()])
  expect(found.map(([, expected]) => expected)).toEqual(commands.map((_, index) => [`out ${index}`]))
})
