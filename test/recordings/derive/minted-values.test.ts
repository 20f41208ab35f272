import { expect, it } from 'vitest'
import { nameMintedValues } from '../../../src/recordings/derive/minted-values.ts'
import type { CommandPiece } from '../../../src/recordings/derive/piece.ts'

const piece = (command: string, output: string): CommandPiece => {
  return { kind: 'command', command, cwd: '', exitCode: 0, output, quotes: [], mints: [] }
}

it('finds the few words that are used among very many', () => {
  const line = (n: number): string => `order a${n}b${n * 7}c in /srv/data/x${n}/y${n}: status-${n}-ok`
  const listed = piece('node a.mjs', Array.from({ length: 5000 }, (_, n) => line(n)).join('\n'))
  const pieces = [listed, piece('node b.mjs a70b490c', ''), piece('ls /srv/data/x71/y71', '')]
  const begin = performance.now()
  const [found] = nameMintedValues([{ step: '1', pieces }], '')
  expect(performance.now() - begin).toBeLessThan(2000)
  expect(found?.pieces.map((one) => 'command' in one && one.command)).toEqual([
    'node a.mjs',
    'node b.mjs "$value2"',
    'ls "$value1"',
  ])
})

it('names what is only shown again, where both outputs are quoted, once and as a whole word', () => {
  const shown = (output: string): CommandPiece => ({ ...piece('node a.mjs', output), quotes: ['x'] })
  const mintsOf = (first: CommandPiece, second: CommandPiece): unknown =>
    nameMintedValues([{ step: '1', pieces: [first, second] }], 'known7').map(({ pieces }) =>
      pieces.flatMap((one) =>
        one.kind === 'command' ? one.mints.map(({ token, isOnlyShown }) => [token, isOnlyShown]) : [],
      ),
    )[0]
  expect(mintsOf(shown('id: n3f8-a9 known7'), shown('n3f8-a9 known7 is there'))).toEqual([['n3f8-a9', true]])
  expect(mintsOf(shown('id: n3f8'), shown('n3f8b is there'))).toEqual([])
  expect(mintsOf(shown('id: n3f8'), piece('node b.mjs', 'n3f8 is there'))).toEqual([])
  expect(mintsOf(shown('id: n3f8'), { ...shown('n3f8 is there'), command: 'node b.mjs n3f8' })).toEqual([
    ['n3f8', undefined],
  ])
})
