import { describe, expect, test } from 'vitest'
import type { Alignment } from '../../../src/blocks/expected-output/align-lines.ts'
import { claimLines } from '../../../src/blocks/expected-output/claim-lines.ts'

const kept = (index: number, ...lines: readonly string[]): Alignment => ({ kind: 'kept', index, lines })
const lost = (index: number): Alignment => ({ kind: 'lost', index })
const extra = (line: string): Alignment => ({ kind: 'extra', line })

function claim(expected: readonly string[], alignment: readonly Alignment[]): readonly Alignment[] {
  return claimLines(alignment, { lines: expected, isDots: (index) => expected[index] === '...' })
}

describe('lines that `...` took in place of a lost one', () => {
  test.each<[string, readonly string[], readonly Alignment[], readonly Alignment[]]>([
    [
      'before it: the last ones',
      ['...', 'total 3'],
      [kept(0, 'a', 'b', 'total 4'), lost(1)],
      [kept(0, 'a', 'b'), lost(1), extra('total 4')],
    ],
    [
      'behind it: the first ones',
      ['total 3', '...'],
      [lost(0), kept(1, 'total 4', 'a', 'b')],
      [lost(0), extra('total 4'), kept(1, 'a', 'b')],
    ],
    [
      'on both sides: those that are most like it',
      ['...', 'total 3', '...'],
      [kept(0, 'a', 'total 4'), lost(1), kept(2, 'b')],
      [kept(0, 'a'), lost(1), extra('total 4'), kept(2, 'b')],
    ],
    [
      'on both sides, behind it',
      ['...', 'total 3', '...'],
      [kept(0, 'a'), lost(1), kept(2, 'b', 'total 4', 'c')],
      [kept(0, 'a', 'b'), lost(1), extra('total 4'), kept(2, 'c')],
    ],
    [
      'are as many as were lost',
      ['...', 'x 1', 'y 1'],
      [kept(0, 'a', 'x 2', 'y 2'), lost(1), lost(2)],
      [kept(0, 'a'), lost(1), lost(2), extra('x 2'), extra('y 2')],
    ],
    [
      'are all there are, where more were lost',
      ['...', 'x 1', 'y 1'],
      [kept(0, 'x 2'), lost(1), lost(2)],
      [kept(0), lost(1), lost(2), extra('x 2')],
    ],
  ])('%s', (_title, expected, alignment, claimed) => {
    expect(claim(expected, alignment)).toEqual(claimed)
  })
})

describe('nothing is taken back', () => {
  test.each<[string, readonly string[], readonly Alignment[]]>([
    ['where nothing was lost', ['...', 'a'], [kept(0, 'x'), kept(1, 'a')]],
    ['of a line that stands for itself', ['x', 'a'], [kept(0, 'x'), lost(1)]],
    ['where an extra line shows the difference', ['...', 'a'], [kept(0, 'x'), lost(1), extra('b')]],
    ['of lines that have nothing to do with it', ['...', 'total 3', '...'], [kept(0, 'abc'), lost(1), kept(2, 'xyz')]],
    ['of nothing', [], []],
  ])('%s', (_title, expected, alignment) => {
    expect(claim(expected, alignment).filter(({ kind }) => kind === 'extra')).toEqual(
      alignment.filter(({ kind }) => kind === 'extra'),
    )
  })

  test('of so many lines that the search would take long', () => {
    const many = Array.from({ length: 200_001 }, (_, at) => `total ${at}`)
    const alignment: readonly Alignment[] = [{ kind: 'kept', index: 0, lines: many }, lost(1), kept(2, 'b')]
    expect(claim(['...', 'total x', '...'], alignment)).toEqual(alignment)
  })
})
