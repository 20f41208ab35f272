import { statSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../../system/files/list-files.ts'
import { pathIn } from '../../system/files/paths.ts'
import { readJunitTests, type JunitTest } from '../readers/junit-xml.ts'
import { clockStepMs, compiledResults, readResultsFile, type ToldTest } from '../readers/read-results.ts'
import { projectProgram, runner, type RunnerOutput, type RunnerResults } from '../runner.ts'

/** Patterns are values of `--tests`: names of classes and methods, with `*`. */
export const gradle = runner({
  name: 'gradle',
  files: [{ name: /^(?:build|settings)\.gradle(?:\.kts)?$/ }],
  form: /gradlew?\b.*\b(?:test|check|build)/,
  console: {
    summary: /^(\d+ tests? completed(?:, \d+ failed)?(?:, \d+ skipped)?)$/gm,
    ...{ passed: 'tests? completed', failed: 'failed', skipped: 'skipped' },
    tellsAll: true,
  },
  template: {
    all: './gradlew cleanTest test --continue',
    file: './gradlew cleanTest test --continue --tests=CLASS OF FILE',
    pattern: './gradlew cleanTest test --continue --tests=PATTERN',
  },
  // `cleanTest` makes Gradle run the tests even if nothing changed. Without `--no-daemon` a daemon would keep running.
  program: (root) => [
    projectProgram(root, ['gradlew'], 'gradle'),
    ...['--no-daemon', '--console=plain', '--continue', 'cleanTest', 'test'],
  ],
  scope: { file: (path) => [`--tests=${classNameOf(path)}`], pattern: (tests) => [`--tests=${tests}`] },
  readResults: (output) => readReports(output, /(?:^|\/)build\/test-results\/[^/]+\/TEST-[^/]*\.xml$/),
})

/** Patterns are values of `-Dtest`: class names with `*`, then `#method`. */
export const maven = runner({
  name: 'maven',
  files: [{ name: /^pom\.xml$/ }],
  form: /mvnw?\b.*\b(?:test|verify|install|package)/,
  console: {
    // Matches the line of a module. The line of a class ends with a time, and so does not match.
    summary: /^(?:\[\w+\] +)?(Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/gm,
    ...{ passed: 'run:', failed: 'Failures:|Errors:', skipped: 'Skipped:' },
    tellsAll: true,
  },
  template: {
    all: './mvnw --batch-mode --fail-at-end test',
    file: './mvnw --batch-mode --fail-at-end test -Dtest=CLASS OF FILE',
    pattern: './mvnw --batch-mode --fail-at-end test -Dtest=PATTERN',
  },
  program: (root) => [
    projectProgram(root, ['mvnw'], 'mvn'),
    ...['--batch-mode', '--no-transfer-progress', '--fail-at-end', 'test'],
  ],
  scope: { file: (path) => mavenTests(classNameOf(path)), pattern: mavenTests },
  readResults: (output) => readReports(output, /(?:^|\/)target\/surefire-reports\/TEST-[^/]*\.xml$/),
})

/** The second option keeps Maven from failing in modules that lack the test. */
function mavenTests(tests: string): readonly string[] {
  return [`-Dtest=${tests}`, '-Dsurefire.failIfNoSpecifiedTests=false']
}

/** Class name of a source file: `com.example.SumsTest`, or `*SumsTest` if the package is not known. */
function classNameOf(file: string): string {
  const path = file.replace(/\.(?:java|kt|kts|groovy|scala)$/, '')
  const inSources = /(?:^|\/)src\/[^/]+\/(?:java|kotlin|groovy|scala)\/(.+)$/.exec(path)?.[1]
  return inSources?.replaceAll('/', '.') ?? `*${path.slice(path.lastIndexOf('/') + 1)}`
}

async function readReports(output: RunnerOutput, form: RegExp): Promise<RunnerResults> {
  const { root, startedAtMs } = output
  const files = Array.from(filesBelow(root), (file) => pathIn(root, file)).filter((file) => !/(?:^|\/)\./.test(file))
  const isSince = (file: string) =>
    (statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedAtMs - clockStepMs
  const reports = files.filter((file) => form.test(file) && isSince(file))
  const texts = await Promise.all(reports.toSorted().map((file) => readResultsFile(join(root, file))))
  return compiledResults(output, {
    reports: texts.map((text) => readJunitTests(text)?.map((test) => toldTest(test, files))),
    noMatch: /^[ \t]*> No tests found for given includes|No tests (?:to run|were executed|matching pattern)/m,
  })
}

function toldTest({ status, attributes, message, text }: JunitTest, files: readonly string[]): ToldTest {
  const { classname = '', name = '' } = attributes
  const file = fileOfClass(classname, files)
  return {
    status,
    name: `${classname}.${name}`,
    file,
    line: file === undefined ? undefined : lineIn(text, { classname, file }),
    message: message || text,
    // If a class fails before its tests, its entry contains no name of a test.
    ...((name === '' || name === 'initializationError') && {
      standsFor: file === undefined ? 'any' : { testsIn: file },
    }),
  }
}

/** Finds a source file by the class's full name, otherwise by its last part. `undefined` if several files match. */
function fileOfClass(className: string, files: readonly string[]): string | undefined {
  const path = className.replace(/\$.*$/, '').replaceAll('.', '/')
  const places = [path, path.slice(path.lastIndexOf('/') + 1)].map((place) =>
    files.filter(
      (file) => /\.(?:java|kt|groovy|scala)$/.test(file) && `/${file.replace(/\.\w+$/, '')}`.endsWith(`/${place}`),
    ),
  )
  const found = places.find((each) => each.length > 0) ?? []
  return found.length === 1 ? found[0] : undefined
}

/** Line of the first frame in the test's own class and file: `at com.example.SumsTest.adds(SumsTest.java:12)`. */
function lineIn(text: string, { classname, file }: { classname: string; file: string }): number | undefined {
  const frames = text.matchAll(/^\s+at (?:\S+\/)?([\w.$]+)\(([\w$]+\.\w+):(\d+)\)$/gm)
  const own = [...frames].find(
    ([, method = '', base = '']) => method.startsWith(classname) && file.endsWith(`/${base}`),
  )
  return own && Number(own[3])
}
