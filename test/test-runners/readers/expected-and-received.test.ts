import { expect, test } from 'vitest'
import { readComparison } from '../../../src/test-runners/readers/expected-and-received.ts'

test.each<readonly [form: string, message: string, expected: string, received: string]>([
  ['chai', 'AssertionError: expected 3 to be 4 // Object.is equality', '4', '3'],
  ['chai, text', "AssertionError: expected 'a to b' to equal 'b to a'", "'b to a'", "'a to b'"],
  ['a diff of Vitest', 'AssertionError: …\n\n- Expected\n+ Received\n\n- a\n+ b\n\n ❯ a.test.ts:1:2', 'a', 'b'],
  ['labels of Vitest', 'to match\n\n- Expected:\n/xyz/\n\n+ Received:\n"abc"', '/xyz/', '"abc"'],
  ['Jest', 'expect(received).toBe(expected)\n\nExpected: 4\nReceived: 3', '4', '3'],
  ['a part, in Jest', 'Expected substring: "xyz"\nReceived string:    "abc"', '"xyz"', '"abc"'],
  [
    'mdtest',
    'RUN_FAILED: `a`: output is not as expected (- expected, + actual):\n  one\n- two\n+ 2',
    'one\ntwo',
    'one\n2',
  ],
  ['node:assert', 'Expected values to be strictly equal:\n\n3 !== 4\n', '4', '3'],
  [
    'node:assert, a diff',
    'Expected values:\n+ actual - expected\n\n  {\n+   a: 1\n-   a: 2\n  }',
    '{\n  a: 2\n}',
    '{\n  a: 1\n}',
  ],
  ['pytest', "assert 'a == b' == 'c'\n +  where …", "'c'", "'a == b'"],
  ['pytest, a list', 'assert [1, 2] == [1, 3]\n\n  At index 1 diff: 2 != 3', '[1, 3]', '[1, 2]'],
  ['unittest of Python', 'AssertionError: 3 != 4', '4', '3'],
  ['got, want', 'got 3, want 4', '4', '3'],
  ['got = …; want = …', 'Add(1, 2): got = 3; want = 4', '4', '3'],
  ['f() = …, want …', 'Add(1, 2) = 3, want 4', '4', '3'],
  ['expected, got', 'expected 4, but got 3', '4', '3'],
  ['testify', 'Not equal: \n\texpected: 4\n\tactual  : 3', '4', '3'],
  ['Rust', 'assertion `left == right` failed\n  left: 3\n right: 4', '4', '3'],
  ['Rust before 1.73', 'assertion failed: `(left == right)`\n  left: `3`,\n right: `4`', '4', '3'],
  [
    'the same with a message',
    'assertion failed: `(left == right)`\n  left: `"a"`,\n right: `"b"`: letters',
    '"b"',
    '"a"',
  ],
  ['package:test', 'Expected: <4>\n  Actual: <3>', '4', '3'],
  ['xUnit.net', 'Assert.Equal() Failure\nExpected: 4\nActual:   3', '4', '3'],
  ['NUnit', '  Expected: 4\n  But was:  3', '4', '3'],
  ['MSTest', 'Assert.AreEqual failed. Expected:<4>. Actual:<3>. ', '4', '3'],
  ['JUnit', 'expected: <4> but was: <3>', '4', '3'],
  ['JUnit 4', 'org.junit.ComparisonFailure: expected:<a[b]> but was:<a[c]>', 'a[b]', 'a[c]'],
  ['AssertJ', 'expected: 4\n but was: 3', '4', '3'],
])('reads the two sides of %s', (_, message, expected, received) => {
  expect(readComparison(message)).toEqual({ expected, received })
})

test.each([
  'TypeError: no number',
  '',
  'panicked at no number',
  'expected: 4',
  'a != b'.repeat(2),
  '- Expected\n+ Received',
])('finds none in %j', (message) => {
  const { expected, received } = readComparison(message)
  expect([expected || undefined, received || undefined]).toContain(undefined)
})

test('takes no time for a long message', () => {
  // Quadratic work would take minutes, and the test its limit.
  for (const part of ['expected ', 'got ', '= ', 'assert (', ' to be ', '\n- Expected\n', '`'])
    readComparison(part.repeat(200_000))
})
