import { describe, expect, test } from 'vitest'
import { countRenamed, executedTests, missingTests } from '../../src/test-runners/executed-tests.ts'

const file = 'src/sum.test.ts'
const red = { name: 'sum > adds', file }
const two = { total: 2, passed: 1, failed: 1, skipped: 0 }

test('tests that passed or failed were executed, and what failed as a whole stands for its tests', () => {
  const failure = { ...red, message: 'no' }
  const passed = { name: 'sum > doubles', file }
  expect(executedTests({ counts: two, failingTests: [failure], passedTests: [passed] })).toEqual({
    areAll: true,
    tests: [passed, red],
  })
  const broken = { name: `loading ${file}`, file, message: 'no', standsFor: { testsIn: file } }
  expect(executedTests({ counts: two, failingTests: [broken], passedTests: [passed] })).toEqual({
    areAll: true,
    tests: [passed, { name: file, file }],
  })
  const compiled = { name: 'src/sum.ts', file: 'src/sum.ts', message: 'no', standsFor: 'any' } as const // a literal
  expect(executedTests({ counts: two, failingTests: [compiled], passedTests: [passed] }).tests).toEqual([passed])
})

test.for([
  ['a file that could not be loaded by any of its tests', { name: file, file }, red, []],
  ['but not by one of another file', { name: file, file }, { ...red, file: 'a.test.ts' }, [{ name: file, file }]],
  [
    'a parameter not by another: a second run tells which are random',
    { name: 'test_get[/users]' },
    { name: 'test_get[/orders]' },
    [{ name: 'test_get[/users]' }],
  ],
  ['a folder that failed by a test of a file in it', { name: 'src', file: 'src' }, red, []],
  ['but not by one below', { name: '.', file: '.' }, red, [{ name: '.', file: '.' }]],
  ['a route not by one below it', { name: 'GET /users' }, { name: 'GET /users/1' }, [{ name: 'GET /users' }]],
  ['a test of Go by one below it', { name: 'TestAdd' }, { name: 'TestAdd/ones' }, []],
] as const)('is matched: %s', ([, before, after, missing]) => {
  expect(missingTests([before], [after])).toEqual(missing)
})

test('what failed as a whole may have none of its tests skipped', () => {
  const skipped = [{ name: 'sum > doubles', file: 'src/more.test.ts' }]
  expect(missingTests([{ name: 'src', file: 'src' }], [red], skipped)).toEqual([{ name: 'src', file: 'src' }])
  expect(missingTests([{ name: '.', file: '.' }], [{ ...red, file: 'a_test.go' }], skipped)).toEqual([])
  expect(missingTests([{ name: file, file }], [red], [{ name: 'sum > doubles', file }])).toEqual([{ name: file, file }])
  expect(missingTests([{ name: file, file }], [red], [{ name: 'other', file: 'a.test.ts' }])).toEqual([])
})

test.for([
  ['names of those that passed are not told', { counts: two, failingTests: [{ ...red, message: '' }] }],
  ['one has no name', { counts: two, failingTests: [], passedTests: [red] }],
  ['nobody counted', { counts: null, failingTests: [], passedTests: [red] }],
] as const)('not all are known where %s', ([, results]) => {
  expect(executedTests(results).areAll).toBe(false)
})

describe('a test is there', () => {
  test.for([
    ['as it was', [red]],
    ['as a group of others', [{ name: 'sum > adds > ones', file }]],
    ['without its file, which some runners do not tell', [{ name: 'sum > adds' }]],
  ] as const)('%s', ([, after]) => {
    expect(missingTests([red], after)).toEqual([])
  })
})

test('names that differ between two runs are counted, but not in what failed as a whole', () => {
  const broken = { name: 'a.test.ts', file: 'a.test.ts' }
  const [one, other] = [[{ name: 'waits 12 ms', file }], [{ name: 'waits 44 ms', file }]]
  expect(countRenamed([...one, red], [red, ...one])).toBe(0)
  expect(countRenamed([...one, broken], [...other, { name: 'b', file: broken.file }])).toBe(1)
  expect(
    countRenamed(
      [...one, broken],
      [
        { name: file, file },
        { name: 'b', file: broken.file },
      ],
    ),
  ).toBe(0)
})

describe('a test is missing', () => {
  test.for([
    ['12 ms', '44 ms'],
    ['0x1f', '0x2a'],
    ['/tmp/a1', '/tmp/b2'],
  ])('where its name has %s in place of %s', ([before, after]) => {
    expect(missingTests([{ name: `at ${before}` }], [{ name: `at ${after}` }])).toHaveLength(1)
  })

  test.for([
    ['where nothing ran', []],
    ['where one of its name ran in another file', [{ name: 'sum > adds', file: 'src/more.test.ts' }]],
    ['where its group alone ran', [{ name: 'sum', file }]],
    ['where it was renamed', [{ name: 'sum > adds up', file }]],
  ] as const)('%s', ([, after]) => {
    expect(missingTests([red], after)).toEqual([red])
  })

  test('where one of two of the same name ran', () => {
    expect(missingTests([red, red], [red])).toEqual([red])
    expect(missingTests([{ name: 'TestAdd' }, { name: 'TestAdd' }], [{ name: 'TestAdd' }])).toHaveLength(1)
  })
})
