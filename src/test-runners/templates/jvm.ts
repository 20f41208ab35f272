import { classNameOf, projectProgram, scopeArguments } from '../command-parts.ts'
import type { Runner, FailingTest, RunnerOutput, RunnerResults } from '../runner.ts'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { junitResults, readJunitTests, type JunitTest } from '../readers/junit-xml.ts'
import { fileOfClass, openSourceFiles } from '../source-files.ts'
import { addBroken, noResults, readCompileErrors, messageOf, readResultsFile } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'

/** Patterns are those of `--tests`: class and method names with `*`. */
export const gradle: Runner<'gradle'> = {
  name: 'gradle',
  files: [{ name: /^(?:build|settings)\.gradle(?:\.kts)?$/ }],
  form: /gradlew?\b.*\b(?:test|check|build)/,
  template: {
    all: './gradlew cleanTest test --continue',
    file: './gradlew cleanTest test --continue --tests=CLASS OF FILE',
    pattern: './gradlew cleanTest test --continue --tests=PATTERN',
  },
  buildCommand({ run, root }) {
    const pattern = (tests: string) => [`--tests=${tests}`]
    const file = (path: string) => pattern(classNameOf(path))
    // Without `cleanTest` nothing is run where nothing has changed; a daemon would outlive the run.
    const tasks = ['--no-daemon', '--console=plain', '--continue', 'cleanTest', 'test']
    return { argv: [projectProgram(root, ['gradlew'], 'gradle'), ...tasks, ...scopeArguments(run, { file, pattern })] }
  },
  readResults: (output) => readJvmReports(output, /(?:^|\/)build\/test-results\/[^/]+$/),
}

/** Patterns are those of `-Dtest`: class names with `*`, and `#method`. */
export const maven: Runner<'maven'> = {
  name: 'maven',
  files: [{ name: /^pom\.xml$/ }],
  form: /mvnw?\b.*\b(?:test|verify|install|package)/,
  template: {
    all: './mvnw --batch-mode --fail-at-end test',
    file: './mvnw --batch-mode --fail-at-end test -Dtest=CLASS OF FILE',
    pattern: './mvnw --batch-mode --fail-at-end test -Dtest=PATTERN',
  },
  buildCommand({ run, root }) {
    // Else each module without such a test fails.
    const pattern = (tests: string) => [`-Dtest=${tests}`, '-Dsurefire.failIfNoSpecifiedTests=false']
    const file = (path: string) => pattern(classNameOf(path))
    const goals = ['--batch-mode', '--no-transfer-progress', '--fail-at-end', 'test']
    return { argv: [projectProgram(root, ['mvnw'], 'mvn'), ...goals, ...scopeArguments(run, { file, pattern })] }
  },
  readResults: (output) => readJvmReports(output, /(?:^|\/)target\/surefire-reports$/),
}

/** Clocks of file systems go in steps. */
const clockStepMs = 20
const maxDepth = 12

async function readJvmReports(output: RunnerOutput, folders: RegExp): Promise<RunnerResults> {
  const files = await findReports(output.root, folders, output.startedAtMs - clockStepMs)
  const tests = await Promise.all(
    files.map(async (file) => ({ file, tests: readJunitTests(await read(output.root, file)) })),
  )
  const known = tests.flatMap(({ tests: own }) => own ?? [])
  const classFiles = openClassFiles(output.root)
  const results = tests.some(({ tests: own }) => own)
    ? junitResults(known, (test) => failingTest(test, classFiles))
    : undefined
  const broken = readCompileErrors(`${output.stdout}\n${output.stderr}`, output.root)
  return addBroken(results ?? nothingRun(output), broken)
}

/** Neither writes a report where no test was found. */
function nothingRun({ stdout, stderr, exitCode }: RunnerOutput): RunnerResults {
  const isNoMatch =
    /^[ \t]*> No tests found for given includes|No tests (?:to run|were executed|matching pattern)/m.test(
      `${stdout}\n${stderr}`,
    )
  return exitCode === 0 || isNoMatch
    ? { counts: { total: 0, passed: 0, failed: 0, skipped: 0 }, failingTests: [] }
    : noResults
}

async function read(root: string, file: string): Promise<string | undefined> {
  return readResultsFile(join(root, file))
}

async function findReports(root: string, folders: RegExp, sinceMs: number): Promise<readonly string[]> {
  const found = await walk(root, { folder: '', folders, depth: 0 })
  const fresh = await Promise.all(
    found.map(async (file) => ((await stat(join(root, file)).catch(() => undefined))?.mtimeMs ?? 0) >= sinceMs),
  )
  return found.filter((_, index) => fresh[index]).toSorted()
}

async function walk(
  root: string,
  { folder, folders, depth }: { readonly folder: string; readonly folders: RegExp; readonly depth: number },
): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  const isReports = folders.test(folder)
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isFile()) return isReports && /^TEST-.*\.xml$/.test(entry.name) ? [path] : []
    const isSearched = entry.isDirectory() && depth < maxDepth && !/^(?:\.|node_modules$|src$)/.test(entry.name)
    return isSearched ? walk(root, { folder: path, folders, depth: depth + 1 }) : []
  })
  return (await Promise.all(found)).flat()
}

interface ClassFiles {
  fileOf(className: string): string | undefined
}

function openClassFiles(root: string): ClassFiles {
  const sources = openSourceFiles(root, /\.(?:java|kt|groovy|scala)$/)
  const known = new Map<string, string | undefined>()
  return {
    fileOf(className) {
      if (!known.has(className)) known.set(className, fileOfClass(className, sources))
      return known.get(className)
    },
  }
}

function failingTest({ attributes, message, text }: JunitTest, files: ClassFiles): FailingTest {
  const { classname = '', name = '' } = attributes
  const told = messageOf(message === '' ? text : message)
  const file = files.fileOf(classname)
  const line = file === undefined ? undefined : lineIn(text, { classname, file })
  return {
    name: `${classname}.${name}`,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message: told,
    ...readComparison(told),
    // What is done before all tests of a class has no name of its own.
    ...((name === '' || name === 'initializationError') && { standsFor: 'tests' as const }),
  }
}

/** `at com.example.SumsTest.adds(SumsTest.java:12)`, where that is the test's own class and file. */
function lineIn(
  text: string,
  { classname, file }: { readonly classname: string; readonly file: string },
): number | undefined {
  for (const [, method = '', base = '', line] of text.matchAll(
    /^\s+at (?:\S+\/)?([\w.$]+)\(([\w$]+\.\w+):(\d+)\)$/gm,
  )) {
    if (method.startsWith(classname) && file.endsWith(`/${base}`)) return Number(line)
  }
  return undefined
}
