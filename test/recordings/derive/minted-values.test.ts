import { expect, it } from 'vitest'
import { nameMintedValues } from '../../../src/recordings/derive/minted-values.ts'
import type { CommandPiece } from '../../../src/recordings/derive/piece.ts'

const piece = (command: string, output: string): CommandPiece => {
  return { kind: 'command', command, cwd: '', exitCode: 0, output, isLook: false, quotes: [], mints: [] }
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
