import { expect, test } from 'vitest'
import { toldIdle, readConsoleCounts, toldFailures } from '../../src/test-runners/console-counts.ts'
import { go } from '../../src/test-runners/templates/go.ts'

const goVerbose = `=== RUN   TestAdds
--- PASS: TestAdds (0.00s)
=== RUN   TestEach
=== RUN   TestEach/two
    sums_test.go:20: got 3, want 4
--- FAIL: TestEach (0.00s)
    --- FAIL: TestEach/two (0.00s)
=== RUN   TestSubtracts
    sums_test.go:25: later
--- SKIP: TestSubtracts (0.00s)
FAIL
FAIL\texample.com/sums\t0.003s
`

const goQuiet = `--- FAIL: TestAddsUpTo4 (0.00s)
    sums_test.go:13: got 3, want 4
FAIL
FAIL\texample.com/sums\t0.005s
ok  \texample.com/other\t0.003s
`

const dart = `00:00 +0: loading test/sums_test.dart
00:00 +0: test/sums_test.dart: sums adds
00:00 +1: test/sums_test.dart: sums adds up to 4
00:00 +1 -1: test/sums_test.dart: sums adds up to 4 [E]

00:00 +1 ~1 -1: Some tests failed.
`

const dotnet = `  Failed Sums.SumsTest.AddsUpTo4 [3 ms]

Failed!  - Failed:     1, Passed:     1, Skipped:     1, Total:     3, Duration: 9 ms - Tests.dll (net8.0)
`

const maven = `[INFO] Running com.example.SumsTest
[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! -- in com.example.SumsTest
[INFO] Results:
[INFO]
[ERROR] Failures:
[ERROR]   SumsTest.addsUpTo4:11 expected: <4> but was: <3>
[ERROR] Errors:
[ERROR]   SumsTest.throwsUp:15 » IllegalState no number
[INFO]
[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1
[INFO]
`

const gradle = `> Task :test FAILED

SumsTest > addsUpTo4() FAILED
    org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
        at app//com.example.SumsTest.addsUpTo4(SumsTest.java:11)

3 tests completed, 1 failed, 1 skipped
`

const nodeTap = `TAP version 13
not ok 1 - sums
1..1
# tests 3
# suites 1
# pass 1
# fail 1
# cancelled 0
# skipped 0
# todo 1
`

const cargo = `running 2 tests
test tests::adds ... ok
test tests::adds_up_to_4 ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`

const vitest = ` FAIL  |unit| src/broken.test.ts [ src/broken.test.ts ]
 FAIL  src/a.test.ts > adds
 Test Files  2 failed (2)
      Tests  1 failed | 2 passed | 1 skipped (4)
`

const playwright = `Running 4 tests using 2 workers

  1 failed
    a.spec.ts:3:1 › adds
  1 flaky
  1 did not run
  1 passed (2.3s)
`

const console3 = { total: 3, passed: 1, failed: 1, skipped: 1 }

test.each([
  ['go test -v', goVerbose, console3],
  ['go test', goQuiet, null],
  ['dart test', dart, console3],
  ['dotnet test', dotnet, console3],
  ['mvn test', maven, { total: 4, passed: 1, failed: 2, skipped: 1 }],
  ['gradle test', gradle, console3],
  ['node --test as TAP', nodeTap, console3],
  ['cargo test', cargo, { total: 2, passed: 1, failed: 1, skipped: 0 }],
  ['vitest run', vitest, { total: 5, passed: 2, failed: 2, skipped: 1 }],
  ['jest', 'Tests:       1 failed, 1 skipped, 1 passed, 3 total\n', console3],
  ['playwright test', playwright, { total: 4, passed: 2, failed: 1, skipped: 1 }],
  ['pytest', '==== 1 failed, 1 passed, 1 xfailed, 2 warnings in 0.01s ====\n', console3],
  ['pytest without tests', '==== no tests ran in 0.01s ====\n', { total: 0, passed: 0, failed: 0, skipped: 0 }],
  ['two runners', `${cargo}${dotnet}`, { total: 5, passed: 2, failed: 2, skipped: 1 }],
  ['no runner', 'hello\nFAILED to be a test\n3 passed the door\n', null],
])('counts by the console of %s', (_, text, counts) => {
  expect(readConsoleCounts(text)).toEqual(counts)
  // Colours and line ends of Windows change nothing.
  const colored = text.replaceAll('FAIL', '\u001b[31mFAIL\u001b[39m').replaceAll('\n', '\r\n')
  expect(readConsoleCounts(colored)).toEqual(counts)
})

const green = 'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n'
const tooLow = 'Jest: "global" coverage threshold for lines (99%) not met: 50%'

test.each([
  ['go test', goQuiet, '--- FAIL: TestAddsUpTo4'],
  ['half a line', 'half a line--- FAIL: TestB (0.00s)\nFAIL\n', '--- FAIL: TestB'],
  ['os.Exit(3), a panic in init', 'ok  \ta/b\t0.1s\nFAIL\ta/c\t0.008s\n', 'FAIL a/c'],
  ['vitest run', vitest, '2 failed'],
  ['a suite that is about such words', '--- FAIL: x\n      Tests  2 passed (2)\n', undefined],
  ['no runner', 'FAIL to see\n', undefined],
  ['a script', 'sum\nFAIL\n', 'FAIL'],
  ['go test -json', '{"Action":"fail","Package":"a"}\n', '{"Action":"fail"'],
  [
    'cargo, where a test ends the process',
    `${green}error: test failed, to rerun pass \`--lib\`\n`,
    'error: test failed, to rerun pass',
  ],
  ['vitest, behind its tests', '      Tests  2 passed (2)\n     Errors  1 error\n', 'Errors  1 error'],
  ['jest, of its coverage', `Tests: 1 passed, 1 total\n${tooLow}\n`, tooLow],
  ['pytest', 'Fatal Python error: Segmentation fault\n', 'Fatal Python error: Segmentation fault'],
  ['another runner', `      Tests  2 passed (2)\n${tooLow}\nFAIL\n`, undefined],
])('what failed by the console of %s', (_, text, told) => {
  expect(toldFailures(text)).toBe(told)
})

test('takes no time for much of anything', () => {
  // Quadratic work would take minutes, and the test its limit.
  for (const part of [
    ...['FAIL  a\n', '--- FAIL: a\n', '● a\n', '===', 'FAILED a::b\n', '    at a (b:1:2)\n', ' ', '_'],
    ...['test a ... FAILED\n', '1) a\n'],
  ]) {
    readConsoleCounts(part.repeat(Math.ceil(100_000 / part.length)))
  }
})

test('go test -v names tests, also behind half a line, and a package that ends without one', async () => {
  const namesIn = async (stdout: string): Promise<readonly string[]> => {
    const output = { stdout, stderr: '', resultsDir: '', root: '/project', exitCode: 1, startedAtMs: 0 }
    return (await go.readResults(output)).failingTests.map(({ name }) => name)
  }
  expect(await namesIn(goVerbose)).toEqual(['TestEach/two'])
  expect(await namesIn(`=== RUN   TestB\nhalf a line--- FAIL: TestB (0.00s)\nFAIL\nFAIL\tex.com/a\t0.008s\n`)).toEqual([
    'TestB',
  ])
  expect(await namesIn('=== RUN   TestA\nok  \tex.com/b\t0.003s\nFAIL\tex.com/a\t0.008s\nFAIL\n')).toEqual(['ex.com/a'])
})

test.for([
  ['Ran 0 tests in 0.000s\n\nOK', 'Ran 0 tests in 0.000s'],
  ['No tests found, exiting with code 0', 'No tests found, exiting with code 0'],
  ['  0 passing (2ms)', '  0 passing (2ms)'],
  ['a: No tests found\nb: Ran 3 tests in 0.1s', undefined],
  ['0 failed, 0 skipped', undefined],
  ['all is well', undefined],
  ["make: 'test' is up to date.", "make: 'test' is up to date."],
  ["found 12 specs\nmake: 'test' is up to date.", undefined],
  [
    "\n> app test\n> make\n\nmake[1]: Entering directory '/a'\nmake[1]: 'x' is up to date.",
    "make[1]: 'x' is up to date.",
  ],
  ["make: Nothing to be done for 'all'.\nok", undefined],
  [' Tasks: 1 successful\n>>> FULL TURBO', '>>> FULL TURBO'],
  ['a:test:   Tests  3 passed (3)\n>>> FULL TURBO', undefined],
  ['?   \ta/b\t[no test files]', '?   \ta/b\t[no test files]'],
  ['?   \ta/b\t[no test files]\nok  \ta/c\t0.1s', undefined],
  ['TAP version 13\n1..0 # SKIP no database', '1..0 # SKIP no database'],
  ['1..0\nTAP version 13\nok 1 - adds\n1..1', undefined],
  ['ok | 0 passed | 0 failed (3ms)', 'ok | 0 passed | 0 failed (3ms)'],
  ['> Task :classes UP-TO-DATE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s', '> Task :classes UP-TO-DATE'],
  ['> Task :classes UP-TO-DATE\n> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s', undefined],
  ['> Task :a:test NO-SOURCE\n> Task :b:test', undefined],
  ["make[1]: 'lib.a' is up to date.\n2 tests, 0 failures", undefined],
] as const)('nothing ran by %j: %j', ([text, line]) => {
  expect(toldIdle(text)).toBe(line)
})
