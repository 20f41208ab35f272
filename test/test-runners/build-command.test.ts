import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunScope } from '../../src/test-runners/runner.ts'
import { runnerNamed, type RunnerName } from '../../src/test-runners/runners.ts'

/** The command in a project of these files, with paths of this machine replaced. */
function commandIn(files: readonly string[], name: RunnerName, run: RunScope): string {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-command-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), 'func TestAdds(t *testing.T) {}\nfunc ExampleAdd() {}\nfunc helper() {}\n')
  }
  const { argv, env = {} } = runnerNamed(name).buildCommand({ run, root, resultsDir: join(root, 'RESULTS') })
  const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`)
  return [...variables, ...argv]
    .map((word) => (/[\s'"]/.test(word) ? JSON.stringify(word) : word))
    .join(' ')
    .replaceAll(root.replaceAll(/[./]/g, '\\$&'), '\\/repo')
    .replaceAll(root, '/repo')
    .replace(/=\S+(?=\/dist\/test-runners\/readers\/\w+-reporter\.js)/, '=PACKAGE')
}

/** Of a new runner `contract.test.ts` looks at the command. */
const files: readonly (readonly [name: RunnerName, file: string])[] = [
  ['vitest', 'test/sums.test.ts'],
  ['mdtest', 'shop.test.md'],
  ['jest', 'test/sums.test.js'],
  ['playwright', 'test/[sums].spec.ts'],
  ['node', 'test/sums.test.js'],
  ['pytest', 'tests/test_sums.py'],
  ['go', 'sums/sums_test.go'],
  ['cargo', 'crates/sums/src/round/up.rs'],
  ['flutter', 'test/sums_test.dart'],
  ['dart', 'test/sums_test.dart'],
  ['dotnet', 'tests/SumsTest.cs'],
  ['gradle', 'app/src/test/kotlin/com/example/SumsTest.kt'],
  ['maven', 'app/src/test/java/com/example/SumsTest.java'],
]

test('runners have a command for all, a file and a pattern', () => {
  const commands = files.map(([name, file]) =>
    [
      commandIn([], name, { scope: 'all' }),
      commandIn([file, 'crates/sums/Cargo.toml'], name, { scope: 'file', target: file }),
      commandIn([], name, { scope: 'pattern', target: '-x; $(y)' }),
    ].join('\n'),
  )
  expect(`\n${commands.join('\n\n')}\n`).toMatchInlineSnapshot(`
    "
    npx --no-install vitest run --reporter=default --reporter=json --reporter=PACKAGE/dist/test-runners/readers/vitest-reporter.js --outputFile.json=/repo/RESULTS/vitest.json
    npx --no-install vitest run --reporter=default --reporter=json --reporter=PACKAGE/dist/test-runners/readers/vitest-reporter.js --outputFile.json=/repo/RESULTS/vitest.json /repo/test/sums.test.ts
    npx --no-install vitest run --reporter=default --reporter=json --reporter=PACKAGE/dist/test-runners/readers/vitest-reporter.js --outputFile.json=/repo/RESULTS/vitest.json "--testNamePattern=-x; $(y)"

    npx --no-install vitest-mdtest run --headless --reporter=default --reporter=json --reporter=PACKAGE/dist/test-runners/readers/vitest-reporter.js --output-file=/repo/RESULTS/mdtest.json
    npx --no-install vitest-mdtest run --headless --reporter=default --reporter=json --reporter=PACKAGE/dist/test-runners/readers/vitest-reporter.js --output-file=/repo/RESULTS/mdtest.json -- shop.test.md
    npx --no-install vitest-mdtest run --headless --reporter=default --reporter=json --reporter=PACKAGE/dist/test-runners/readers/vitest-reporter.js --output-file=/repo/RESULTS/mdtest.json "--test-name-pattern=-x; $(y)"

    npx --no-install jest --ci --watchAll=false --testLocationInResults --json --outputFile=/repo/RESULTS/jest.json
    npx --no-install jest --ci --watchAll=false --testLocationInResults --json --outputFile=/repo/RESULTS/jest.json --runTestsByPath /repo/test/sums.test.js
    npx --no-install jest --ci --watchAll=false --testLocationInResults --json --outputFile=/repo/RESULTS/jest.json "--testNamePattern=-x; $(y)"

    PLAYWRIGHT_JSON_OUTPUT_NAME=/repo/RESULTS/playwright.json npx --no-install playwright test --reporter=line,json
    PLAYWRIGHT_JSON_OUTPUT_NAME=/repo/RESULTS/playwright.json npx --no-install playwright test --reporter=line,json \\/repo\\/test\\/\\[sums\\]\\.spec\\.ts
    PLAYWRIGHT_JSON_OUTPUT_NAME=/repo/RESULTS/playwright.json npx --no-install playwright test --reporter=line,json "--grep=-x; $(y)"

    node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=PACKAGE/dist/test-runners/readers/node-reporter.js --test-reporter-destination=/repo/RESULTS/node.jsonl
    node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=PACKAGE/dist/test-runners/readers/node-reporter.js --test-reporter-destination=/repo/RESULTS/node.jsonl ./test/sums.test.js
    node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=PACKAGE/dist/test-runners/readers/node-reporter.js --test-reporter-destination=/repo/RESULTS/node.jsonl "--test-name-pattern=-x; $(y)"

    pytest -o junit_family=xunit1 --junitxml=/repo/RESULTS/pytest.xml
    pytest -o junit_family=xunit1 --junitxml=/repo/RESULTS/pytest.xml ./tests/test_sums.py
    pytest -o junit_family=xunit1 --junitxml=/repo/RESULTS/pytest.xml "-k=-x; $(y)"

    go test -json -count=1 ./...
    go test -json -count=1 -run=^(TestAdds|ExampleAdd)$ ./sums
    go test -json -count=1 "-run=-x; $(y)" ./...

    cargo test --color=never --no-fail-fast
    cargo test --color=never --no-fail-fast --manifest-path=/repo/crates/sums/Cargo.toml -- -- round::up::
    cargo test --color=never --no-fail-fast -- -- "-x; $(y)"

    flutter test --reporter=expanded --file-reporter=json:/repo/RESULTS/flutter.jsonl
    flutter test --reporter=expanded --file-reporter=json:/repo/RESULTS/flutter.jsonl ./test/sums_test.dart
    flutter test --reporter=expanded --file-reporter=json:/repo/RESULTS/flutter.jsonl "--name=-x; $(y)"

    dart test --reporter=expanded --file-reporter=json:/repo/RESULTS/dart.jsonl
    dart test --reporter=expanded --file-reporter=json:/repo/RESULTS/dart.jsonl ./test/sums_test.dart
    dart test --reporter=expanded --file-reporter=json:/repo/RESULTS/dart.jsonl "--name=-x; $(y)"

    DOTNET_NOLOGO=1 dotnet test --logger=trx --logger=console --results-directory=/repo/RESULTS
    DOTNET_NOLOGO=1 dotnet test --logger=trx --logger=console --results-directory=/repo/RESULTS --filter=FullyQualifiedName~SumsTest
    DOTNET_NOLOGO=1 dotnet test --logger=trx --logger=console --results-directory=/repo/RESULTS "--filter=FullyQualifiedName~-x%3B %24\\\\(y\\\\)"

    gradle --no-daemon --console=plain --continue cleanTest test
    gradle --no-daemon --console=plain --continue cleanTest test --tests=com.example.SumsTest
    gradle --no-daemon --console=plain --continue cleanTest test "--tests=-x; $(y)"

    mvn --batch-mode --no-transfer-progress --fail-at-end test
    mvn --batch-mode --no-transfer-progress --fail-at-end test -Dtest=com.example.SumsTest -Dsurefire.failIfNoSpecifiedTests=false
    mvn --batch-mode --no-transfer-progress --fail-at-end test "-Dtest=-x; $(y)" -Dsurefire.failIfNoSpecifiedTests=false
    "
  `)
})

test('programs of the project come first', () => {
  const own = ['node_modules/.bin/vitest', '.venv/bin/pytest', 'gradlew', 'mvnw']
  expect(commandIn(own, 'vitest', { scope: 'all' })).toMatch(/^\/repo\/node_modules\/\.bin\/vitest run /)
  expect(commandIn(own, 'pytest', { scope: 'all' })).toMatch(/^\/repo\/\.venv\/bin\/pytest /)
  expect(commandIn(own, 'gradle', { scope: 'all' })).toMatch(/^\/repo\/gradlew /)
  expect(commandIn(own, 'maven', { scope: 'all' })).toMatch(/^\/repo\/mvnw /)
})

test.each([
  ['lib.rs', 'src/lib.rs', '--lib'],
  ['main.rs', 'src/main.rs', '--bins'],
  ['a program', 'src/bin/tool.rs', '--bin=tool'],
  ['a folder of a module', 'src/round/mod.rs', '-- -- round::'],
  ['an integration test', 'tests/order.rs', '--test=order'],
  ['a test in a folder', 'tests/order/main.rs', '--test=order'],
  ['an example', 'examples/demo.rs', '--example=demo'],
  ['what is none', 'build.rs', '--test=build.rs'],
])('cargo runs %s', (_, target, expected) => {
  expect(commandIn(['Cargo.toml', target], 'cargo', { scope: 'file', target })).toBe(
    `cargo test --color=never --no-fail-fast --manifest-path=/repo/Cargo.toml ${expected}`,
  )
})
