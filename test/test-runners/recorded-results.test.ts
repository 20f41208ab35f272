import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJunitTests } from '../../src/test-runners/readers/junit-xml.ts'
import type { RunnerResults } from '../../src/test-runners/runner.ts'
import { runnerNamed, runnerNames, type RunnerName } from '../../src/test-runners/runners.ts'
import { leftByRunner } from '../support/left-by-runner.ts'

function lines(...events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

const dartTest = (id: number, name: string, line: number, time: number): object => ({
  test: { id, name, suiteID: 0, groupIDs: [2], line, column: 3, url: 'file:///app/test/sums_test.dart' },
  type: 'testStart',
  time,
})

const dartEvents = lines(
  { protocolVersion: '0.1.1', runnerVersion: '1.25.8', pid: 7, type: 'start', time: 0 },
  { suite: { id: 0, platform: 'vm', path: 'test/sums_test.dart' }, type: 'suite', time: 0 },
  {
    test: { id: 1, name: 'loading test/sums_test.dart', suiteID: 0, groupIDs: [], line: null, column: null, url: null },
    type: 'testStart',
    time: 1,
  },
  { testID: 1, result: 'success', skipped: false, hidden: true, type: 'testDone', time: 900 },
  { group: { id: 2, suiteID: 0, parentID: null, name: '', testCount: 3 }, type: 'group', time: 901 },
  dartTest(3, 'sums adds', 5, 902),
  { testID: 3, result: 'success', skipped: false, hidden: false, type: 'testDone', time: 910 },
  dartTest(4, 'sums adds up to 4', 8, 911),
  {
    testID: 4,
    error: 'Expected: <4>\n  Actual: <3>\n',
    stackTrace: 'package:matcher expect\ntest/sums_test.dart 9:5  main.<fn>.<fn>\n',
    isFailure: true,
    type: 'error',
    time: 920,
  },
  { testID: 4, result: 'failure', skipped: false, hidden: false, type: 'testDone', time: 921 },
  dartTest(5, 'sums subtracts', 12, 922),
  { testID: 5, result: 'success', skipped: true, hidden: false, type: 'testDone', time: 923 },
  { suite: { id: 6, platform: 'vm', path: 'test/broken_test.dart' }, type: 'suite', time: 924 },
  {
    test: {
      id: 7,
      name: 'loading test/broken_test.dart',
      suiteID: 6,
      groupIDs: [],
      line: null,
      column: null,
      url: null,
    },
    type: 'testStart',
    time: 925,
  },
  {
    testID: 7,
    error: 'Failed to load "test/broken_test.dart": test/broken_test.dart:3:9: Error: Expected an identifier',
    stackTrace: '',
    isFailure: false,
    type: 'error',
    time: 930,
  },
  { testID: 7, result: 'error', skipped: false, hidden: false, type: 'testDone', time: 931 },
  { success: false, type: 'done', time: 940 },
)

test.each(['dart', 'flutter'] as const)('%s tells counts and what failed', async (name) => {
  const results = await runnerNamed(name).readResults(leftByRunner({ [`results/${name}.jsonl`]: dartEvents }))
  expect(results).toEqual({
    counts: { total: 4, passed: 1, failed: 2, skipped: 1 },
    failingTests: [
      {
        name: 'sums adds up to 4',
        file: 'test/sums_test.dart',
        line: 9,
        message: 'Expected: <4>\n  Actual: <3>',
        expected: '4',
        received: '3',
      },
      {
        name: 'loading test/broken_test.dart',
        file: 'test/broken_test.dart',
        line: 3,
        message: expect.stringContaining('Expected an identifier'),
        standsFor: { testsIn: 'test/broken_test.dart' },
      },
    ],
    passedTests: [{ name: 'sums adds', file: 'test/sums_test.dart' }],
    skippedTests: [{ name: 'sums subtracts', file: 'test/sums_test.dart' }],
  })
})

const trx = `<?xml version="1.0" encoding="utf-8"?>
<TestRun id="1" name="run" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <TestDefinitions>
    <UnitTest name="Sums.SumsTest.AddsUpTo4" id="t2"><TestMethod className="Sums.SumsTest" name="AddsUpTo4" /></UnitTest>
  </TestDefinitions>
  <Results>
    <UnitTestResult executionId="1" testName="Sums.SumsTest.Adds" outcome="Passed" duration="00:00:00.01" />
    <UnitTestResult executionId="2" testId="t2" testName="Sums.SumsTest.AddsUpTo4" outcome="Failed">
      <Output>
        <ErrorInfo>
          <Message>Assert.Equal() Failure: Values differ&#xD;
Expected: 4&#xD;
Actual:   3</Message>
          <StackTrace>   at Sums.Product.Add() in /repo/src/Product.cs:line 3
   at Sums.SumsTest.AddsUpTo4() in /repo/tests/SumsTest.cs:line 12
   at System.RuntimeMethodHandle.InvokeMethod(Object target)</StackTrace>
        </ErrorInfo>
      </Output>
    </UnitTestResult>
    <UnitTestResult executionId="3" testName="Sums.SumsTest.Subtracts" outcome="NotExecuted" />
  </Results>
  <ResultSummary outcome="Failed"><Counters total="3" executed="2" passed="1" failed="1" /></ResultSummary>
</TestRun>
`

test('dotnet tells counts, what failed and what cannot be compiled', async () => {
  const stdout = '/repo/tests/Broken.cs(7,21): error CS1002: ; expected [/repo/tests/Tests.csproj]\n'
  const dotnet = runnerNamed('dotnet')
  const sources = {
    'repo/tests/SumsTest.cs': 'public class SumsTest {}\n',
    'repo/src/Product.cs': 'class Product {}\n',
  }
  expect(
    await dotnet.readResults(leftByRunner({ ...sources, 'results/a.trx': trx, 'results/b.trx': trx }, { stdout })),
  ).toEqual({
    counts: { total: 7, passed: 2, failed: 3, skipped: 2 },
    failingTests: [
      ...[1, 2].map(() => ({
        name: 'Sums.SumsTest.AddsUpTo4',
        file: 'tests/SumsTest.cs',
        line: 12,
        message: expect.stringContaining('Values differ'),
        expected: '4',
        received: '3',
      })),
      { name: 'tests/Broken.cs', file: 'tests/Broken.cs', line: 7, message: 'CS1002: ; expected', standsFor: 'any' },
    ],
    passedTests: [1, 2].map(() => ({ name: 'Sums.SumsTest.Adds' })),
    skippedTests: [1, 2].map(() => ({ name: 'Sums.SumsTest.Subtracts' })),
  })
  const noMatch = 'No test matches the given testcase filter `FullyQualifiedName~zzz` in /repo/bin/Tests.dll\n'
  expect((await dotnet.readResults(leftByRunner({}, { stdout: noMatch, exitCode: 0 }))).counts).toMatchObject({
    total: 0,
  })
  expect(await dotnet.readResults(leftByRunner({}))).toEqual({ counts: null, failingTests: [] })
})

const junit = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="com.example.SumsTest" tests="3" failures="1" errors="0" skipped="1">
  <testcase name="adds()" classname="com.example.SumsTest" time="0.01"/>
  <testcase name="addsUpTo4()" classname="com.example.SumsTest" time="0.01">
    <failure message="expected: &lt;4&gt; but was: &lt;3&gt;" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: expected: &lt;4&gt; but was: &lt;3&gt;
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at com.example.SumsTest.addsUpTo4(SumsTest.java:11)
</failure>
  </testcase>
  <testcase name="subtracts()" classname="com.example.SumsTest" time="0"><skipped/></testcase>
  <system-out><![CDATA[bell \u0007 and <markup>]]></system-out>
</testsuite>
`

test.each([
  [
    'gradle',
    'app/build/test-results/test',
    '/repo/app/src/test/java/com/example/BrokenTest.java:5: error: illegal start of expression',
  ],
  [
    'maven',
    'app/target/surefire-reports',
    '[ERROR] /repo/app/src/test/java/com/example/BrokenTest.java:[5,13] illegal start of expression',
  ],
] as const)('%s tells counts and what failed of this run alone', async (name, folder, compiler) => {
  const source = 'repo/app/src/test/java/com/example/SumsTest.java'
  const output = leftByRunner({
    [`repo/${folder}/TEST-com.example.SumsTest.xml`]: junit,
    [`repo/${folder}/TEST-com.example.EarlierTest.xml`]: junit,
    [`repo/node_modules/${folder}/TEST-com.example.SumsTest.xml`]: junit,
    [source]: '',
  })
  const yesterday = Date.now() / 1000 - 86_400
  utimesSync(join(output.root, folder, 'TEST-com.example.EarlierTest.xml'), yesterday, yesterday)
  const expected: RunnerResults = {
    counts: { total: 3, passed: 1, failed: 1, skipped: 1 },
    failingTests: [
      {
        name: 'com.example.SumsTest.addsUpTo4()',
        file: 'app/src/test/java/com/example/SumsTest.java',
        line: 11,
        message: 'expected: <4> but was: <3>',
        expected: '4',
        received: '3',
      },
    ],
    passedTests: [{ name: 'com.example.SumsTest.adds()', file: 'app/src/test/java/com/example/SumsTest.java' }],
    skippedTests: [{ name: 'com.example.SumsTest.subtracts()', file: 'app/src/test/java/com/example/SumsTest.java' }],
  }
  expect(await runnerNamed(name).readResults(output)).toEqual(expected)
  const broken = await runnerNamed(name).readResults({
    ...output,
    stdout: `${compiler.replace('/repo', output.root)}\n`,
    startedAtMs: Date.now() + 60_000,
  })
  expect(broken).toEqual({
    counts: { total: 1, passed: 0, failed: 1, skipped: 0 },
    failingTests: [
      {
        name: 'app/src/test/java/com/example/BrokenTest.java',
        file: 'app/src/test/java/com/example/BrokenTest.java',
        line: 5,
        message: 'illegal start of expression',
        standsFor: 'any',
      },
    ],
  })
  const none = await runnerNamed(name).readResults(
    leftByRunner({}, { stdout: '> No tests found for given includes: [zzz](--tests filter)\n' }),
  )
  expect(none.counts).toMatchObject({ total: 0 })
})

const resultFiles: Partial<Record<RunnerName, string>> = {
  vitest: 'vitest.json',
  mdtest: 'mdtest.json',
  jest: 'jest.json',
  playwright: 'playwright.json',
  node: 'node.jsonl',
  pytest: 'pytest.xml',
  flutter: 'flutter.jsonl',
  dart: 'dart.jsonl',
  dotnet: 'results.trx',
}

test.each(runnerNames)('%s has no counts where results are missing or broken, and throws nothing', async (name) => {
  const none: RunnerResults = { counts: null, failingTests: [] }
  expect(
    await runnerNamed(name).readResults(leftByRunner({}, { stdout: 'Segmentation fault\n', exitCode: null })),
  ).toEqual(none)
  const file = resultFiles[name]
  for (const text of [
    ...['', '{"testResults":[{"na', '<testsuites><testsuite', '[]', 'null', '\0\0', '{"a":1}\n{"b":2}\n', '<other/>'],
  ]) {
    const output = leftByRunner(file === undefined ? {} : { [`results/${file}`]: text }, {
      stdout: file === undefined ? text : '',
    })
    // An empty file of Node's is what it leaves where no test is.
    const isEmptyRun = name === 'node' && text === ''
    const expected = isEmptyRun ? { counts: { total: 0, passed: 0, failed: 0, skipped: 0 }, failingTests: [] } : none
    expect(await runnerNamed(name).readResults(output), JSON.stringify(text)).toMatchObject(expected)
  }
})

test('a file that pytest could not collect has its own name, as a file of Vitest has', async () => {
  const left = `<testsuites><testsuite errors="1" tests="1"><testcase classname="" name="test_add">
<error message="collection failure">E   ModuleNotFoundError: No module named 'app'</error></testcase></testsuite></testsuites>`
  const { failingTests } = await runnerNamed('pytest').readResults(
    leftByRunner({ 'results/pytest.xml': left, 'repo/test_add.py': '' }),
  )
  expect(failingTests).toMatchObject([
    { name: 'test_add.py', file: 'test_add.py', standsFor: { testsIn: 'test_add.py' } },
  ])
})

test.each([
  ['<testsuites><testsuite failures="0"><testsuite errors="1"><testcase/></testsuite></testsuite></testsuites>', 1],
  ['<testsuite failures="1"><testcase><failure/></testcase><testsuite failures="1"/></testsuite>', 2],
  ['<testsuite failures="1"><testsuite failures="1"><testcase><failure/></testcase></testsuite></testsuite>', 1],
])('a report counts failures of suites without a test: %s', (report, failed) => {
  expect(readJunitTests(report)?.filter(({ status }) => status === 'failed')).toHaveLength(failed)
})

test('a doctest has the same name wherever it stands', async () => {
  const cargo = async (line: number, end: string): Promise<RunnerResults> => {
    const name = `src/lib.rs - add (line ${line})`
    const failure = `---- ${name} stdout ----\npanicked at src/lib.rs:3:1:\nno\n`
    const stdout = `test ${name} ... ${end}\n${end === 'ok' ? '' : failure}test result: ${end}. 1 passed; 0 failed; 0 ignored;`
    return await runnerNamed('cargo').readResults(leftByRunner({}, { stdout }))
  }
  const add = { name: 'src/lib.rs - add' }
  expect((await cargo(5, 'ok')).passedTests).toEqual([add])
  const { failingTests } = await cargo(3, 'FAILED')
  expect(failingTests).toMatchObject([{ ...add, file: 'src/lib.rs', line: 3 }])
})

test('a file without tests that Node.js lets pass is no test', async () => {
  const passed = { kind: 'test', nesting: 0, isPassed: true, isSkipped: false, isSuite: false }
  const left = lines(
    ...['/repo/a.test.mjs', '/repo/b.test.mjs'].map((file) => ({ kind: 'file', file })),
    { ...passed, name: '/repo/a.test.mjs', file: '/repo/a.test.mjs' },
    { ...passed, name: 'adds', file: '/repo/b.test.mjs' },
  )
  expect(await runnerNamed('node').readResults(leftByRunner({ 'results/node.jsonl': left }))).toMatchObject({
    counts: { total: 1, passed: 1 },
    emptyFiles: 1,
  })
})
