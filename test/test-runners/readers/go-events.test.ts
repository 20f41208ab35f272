import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readGoOutput } from '../../../src/test-runners/templates/go.ts'

const lines = (...events: readonly unknown[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const output = (Test: string, Output: string): object => ({ Action: 'output', Package: 'a', Test, Output })
const read = (stdout: string, root = '/none'): ReturnType<typeof readGoOutput> =>
  readGoOutput({ stdout, stderr: '', root })

test('reads what testify says', () => {
  const stdout = lines(
    { Action: 'run', Package: 'a', Test: 'TestTotal' },
    output('TestTotal', '=== RUN   TestTotal\n'),
    output('TestTotal', '    other_test.go:1: \n'),
    output('TestTotal', '    total_test.go:9: \n'),
    output('TestTotal', '        \tError Trace:\t/app/a/total_test.go:9\n'),
    output('TestTotal', '        \tError:      \tNot equal: \n'),
    output('TestTotal', '        \t            \texpected: 4\n'),
    output('TestTotal', '        \t            \tactual  : 3\n'),
    output('TestTotal', '--- FAIL: TestTotal (0.00s)\n'),
    { Action: 'fail', Package: 'a', Test: 'TestTotal' },
    { Action: 'fail', Package: 'a' },
  )
  const root = mkdtempSync(join(tmpdir(), 'mdtest-go-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'b'))
  writeFileSync(join(root, 'go.mod'), 'module a\n')
  // What a test prints may look like a place: the file is the one that declares it.
  writeFileSync(join(root, 'b/total_test.go'), 'func TestTotal(t *testing.T) {}\n')
  const { counts, failingTests } = read(stdout.replaceAll('"a"', '"a/b"'), root)
  expect(counts).toEqual({ total: 1, passed: 0, failed: 1, skipped: 0 })
  expect(failingTests).toMatchObject([
    { name: 'TestTotal', file: 'b/total_test.go', line: 9, expected: '4', received: '3' },
  ])
})

test('a build that failed is a failed test, also in events of its own', () => {
  const stdout = lines(
    { ImportPath: 'a [a.test]', Action: 'build-output', Output: '# a [a.test]\n' },
    { ImportPath: 'a [a.test]', Action: 'build-output', Output: 'a/a_test.go:6:18: cannot use "three"\n' },
    { ImportPath: 'a [a.test]', Action: 'build-fail' },
    { Action: 'start', Package: 'a' },
    { Action: 'output', Package: 'a', Output: 'FAIL\ta [build failed]\n' },
    { Action: 'fail', Package: 'a', FailedBuild: 'a [a.test]' },
  )
  expect(read(stdout)).toMatchObject({
    counts: { total: 1, passed: 0, failed: 1, skipped: 0 },
    failingTests: [{ name: 'a', file: 'a/a_test.go', line: 6, message: 'a/a_test.go:6:18: cannot use "three"' }],
  })
})

test('a package without code beside its tests is a failed one, although it has no events', () => {
  const stderr = 'go build a/b: no non-test Go files in /app/b\n'
  const { failingTests } = readGoOutput({ stdout: 'FAIL\ta/b [build failed]\n', stderr, root: '/none' })
  expect(failingTests).toMatchObject([{ name: 'a/b', message: stderr.trim() }])
})

test('a package with tests that failed as a whole stands for those in its folder, one without for those of any', () => {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-go-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'b'))
  mkdirSync(join(root, 'c'))
  writeFileSync(join(root, 'go.mod'), 'module a\n')
  writeFileSync(join(root, 'a_test.go'), 'func TestA(t *testing.T) {}\n')
  writeFileSync(join(root, 'c/c_test.go'), 'func TestC(t *testing.T) {}\n')
  const stdout = lines(
    ...['# a\n', './a.go:1:1: x\n', '# a/b\n', 'b/b.go:1:1: x\n'].map((Output) => ({ Action: 'build-output', Output })),
    ...['a', 'a/b', 'a/c'].map((Package) => ({ Action: 'fail', Package })),
  )
  expect(read(stdout, root).failingTests.map(({ name, standsFor }) => [name, standsFor])).toEqual([
    ['a', { testsIn: '.' }],
    ['a/b', 'any'],
    ['a/c', { testsIn: 'c' }],
  ])
})

test('a test that never ended has failed, and a package that died without one is told', () => {
  const hanging = lines(
    { Action: 'run', Package: 'a', Test: 'TestHangs' },
    output('TestHangs', '=== RUN   TestHangs\n'),
  )
  expect(read(hanging)).toMatchObject({ counts: { total: 1, failed: 1 }, failingTests: [{ name: 'TestHangs' }] })
  const dead = lines({ Action: 'output', Package: 'a', Output: 'no database\n' }, { Action: 'fail', Package: 'a' })
  expect(read(dead)).toMatchObject({
    counts: { total: 1, failed: 1 },
    failingTests: [{ name: 'a', message: 'no database' }],
  })
})

test('a test that holds others counts only where it failed by itself', () => {
  const run = (Test: string, Action: string): object => ({ Action, Package: 'a', Test })
  const passed = lines(run('TestEach/one', 'pass'), run('TestEach/two', 'skip'), run('TestEach', 'pass'))
  expect(read(passed).counts).toEqual({ total: 2, passed: 1, failed: 0, skipped: 1 })
  const failed = lines(run('TestEach/one', 'pass'), run('TestEach', 'fail'))
  expect(read(failed).counts).toEqual({ total: 2, passed: 1, failed: 1, skipped: 0 })
})
