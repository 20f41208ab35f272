import { describe, expect, test } from 'vitest'
import { hasMark, withMarks } from '../../../../src/system/process/trees/marks.ts'

describe('withMarks', () => {
  test('adds to what was inherited', () => {
    expect(withMarks({ A: '1' }, ['run', 'command'])).toEqual({ A: '1', MDTEST_MARKS: 'run:command' })
    expect(withMarks({ MDTEST_MARKS: 'outer' }, ['run'])).toEqual({ MDTEST_MARKS: 'outer:run' })
    expect(withMarks({ MDTEST_MARKS: '' }, ['run'])).toEqual({ MDTEST_MARKS: 'run' })
  })
})

describe('hasMark', () => {
  test.for([
    ['MDTEST_MARKS=a:mine:b\0B=1\0', true],
    ['A=1\0MDTEST_MARKS=mine\0', true],
    ['MDTEST_MARKS=mine', true],
    ['MDTEST_MARKS=mine2:xmine\0', false],
    ['OTHER=mine\0', false],
    ['XMDTEST_MARKS=mine\0', false],
    ['A=MDTEST_MARKS=mine\0', false],
    ['', false],
  ] as const)('reads %j', ([environment, expected]) => {
    expect(hasMark(Buffer.from(environment), 'mine')).toBe(expected)
  })

  test('holds for no process when the mark is empty', () => {
    expect(hasMark(Buffer.from('MDTEST_MARKS=\0'), '')).toBe(false)
  })
})
