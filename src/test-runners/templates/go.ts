import { parseJson } from '../../system/text/parse-json.ts'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { orNothing } from '../../system/error-facts.ts'
import { entriesOf } from '../../system/files/list-files.ts'
import { isInside, pathIn } from '../../system/files/paths.ts'
import { lineInMessage, relativeFile } from '../readers/file-and-line.ts'
import { linesOf, noResults, parseLines, resultsOf, type TestStatus, type ToldTest } from '../readers/read-results.ts'
import { runner, type RunnerOutput, type RunnerResults, type TestCounts } from '../runner.ts'

/** Patterns are regular expressions for `-run`. A file is run as its package, limited to the names of its tests. */
export const go = runner({
  name: 'go',
  install: 'brew install go` or `apt install golang',
  files: [{ name: /^go\.(?:mod|work)$/ }],
  form: /go +test/,
  failure: /--- FAIL: \S+|^FAIL(?:\t\S+|$)|^\{.*"Action":"fail"/m,
  template: {
    all: 'go test -json -count=1 ./...',
    file: 'go test -json -count=1 -run=^(TESTS OF FILE)$ ./FOLDER',
    pattern: 'go test -json -count=1 -run=PATTERN ./...',
  },
  // With `-count=1`, Go does not answer from its cache.
  program: () => ['go', 'test', '-json', '-count=1'],
  // With `-v`, Go prints a line for each test.
  asEnv: () => ({ GOFLAGS: '-v' }),
  scope: {
    all: ['./...'],
    file: (path, root) =>
      path.endsWith('.go')
        ? [`-run=^(${testNamesIn(join(root, path)).join('|')})$`, `./${dirname(path)}`]
        : [`./${path.replace(/\/+$/, '')}/...`],
    pattern: (names) => [`-run=${names}`, './...'],
  },
  selectTests: (names) => `^(${[...new Set(names.map((name) => name.split('/', 1)[0]))].join('|')})$`,
  showLine: (line) => {
    const event = line.startsWith('{"') ? eventSchema.safeParse(parseJson(line)).data : undefined
    return event === undefined ? line : event.Output?.replace(/\n$/, '')
  },
  readResults: async (output) => readGoOutput(output),
})

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
})

type GoEvent = z.infer<typeof eventSchema>

/** Reads `go test -json`. A package that does not compile, or a test that never ends, counts as failed. */
export function readGoOutput(output: Pick<RunnerOutput, 'stdout' | 'stderr' | 'root'>): RunnerResults {
  const { stdout, stderr, root } = output
  const isVerbose = isVerboseConsole(stdout)
  const { tests, packages, buildOutput } = gatherEvents(
    isVerbose ? eventsOfConsole(stdout) : [...parseLines(stdout, eventSchema), ...eventsOfUnbuilt(stdout, stderr)],
  )
  const files = openGoFiles(root)
  const broken = buildFailures([...(isVerbose ? [stdout] : []), stderr, ...buildOutput].join('\n'), { root, files })
  const nothingFound = /matched no packages|no packages to test|no test files/.test(stderr)
  if (packages.size === 0 && broken.length === 0 && !nothingFound) return noResults
  const told = leavesOf(tests).map((test) => toldTest(test, files))
  // Packages can fail without a failed test: by `TestMain`, `init`, `os.Exit` or a dependency that does not compile.
  const explained = new Set([
    ...tests.filter(({ status }) => status === 'failed').map(({ pkg }) => pkg),
    ...broken.map(({ name }) => name),
  ])
  const dead = [...packages]
    .filter(([name, { isFailed }]) => isFailed && !explained.has(name))
    .map(([name, { output }]): ToldTest => {
      const file = files.folderOf(name) || undefined
      return { status: 'failed', name, file, message: output.join(''), standsFor: files.wholeOf(name) }
    })
  return resultsOf([...told, ...broken, ...dead])
}

function isVerboseConsole(text: string): boolean {
  return /^=== RUN /m.test(text) && /^(?:ok {2}|FAIL)\t\S+/m.test(text)
}

export function countVerbose(text: string): TestCounts | null {
  // Any root will do, because counts have no paths.
  return isVerboseConsole(text) ? readGoOutput({ stdout: text, stderr: '', root: '/' }).counts : null
}

/** Turns console output into events like those of `-json`. Only the last line of a package has the package's name. */
function* eventsOfConsole(text: string): Generator<GoEvent> {
  let told: GoEvent[] = []
  for (const line of linesOf(text)) {
    const [, word, Package] = /^(ok {2}|FAIL|\? {3})\t(\S+)/.exec(line) ?? []
    // Output of the test may come first in the line: `sum is 3--- PASS: TestSum (0.00s)`.
    const [, end = 'output', Test] = /--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/.exec(line) ?? []
    if (Package === undefined) {
      told.push({ Action: end.toLowerCase(), Output: `${line}\n`, ...(Test !== undefined && { Test }) })
      continue
    }
    for (const event of told) yield { ...event, Package }
    yield { Action: word === 'FAIL' ? 'fail' : 'pass', Package }
    told = []
  }
}

/** Go up to 1.23 prints no event for a package that it could not build. */
function eventsOfUnbuilt(stdout: string, stderr: string): readonly GoEvent[] {
  const lines = [...stdout.matchAll(/^FAIL\t(\S+) \[(?:build|setup) failed\]$/gm)]
  return lines.flatMap(([Output, Package]) => [
    { Action: 'output', Package, Output: stderr || Output },
    { Action: 'fail', Package },
  ])
}

interface GoTest {
  readonly pkg: string
  readonly name: string
  readonly output: string[]
  status: TestStatus
}

const statuses = new Map<string, TestStatus>(Object.entries({ pass: 'passed', fail: 'failed', skip: 'skipped' }))

function gatherEvents(events: Iterable<GoEvent>) {
  const tests = new Map<string, GoTest>()
  const packages = new Map<string, { output: string[]; isFailed: boolean }>()
  const buildOutput: string[] = []
  for (const { Action, Package, Test, Output = '' } of events) {
    if (Action === 'build-output') buildOutput.push(Output.replace(/\n$/, ''))
    if (Package === undefined) continue
    const pkg = packages.get(Package) ?? { output: [], isFailed: false }
    packages.set(Package, pkg)
    if (Test === undefined) {
      if (Action === 'output') pkg.output.push(Output)
      if (Action === 'fail') pkg.isFailed = true
      continue
    }
    // A test is `failed` until an event says how it ended.
    const test = tests.get(keyInPackage(Package, Test)) ?? { pkg: Package, name: Test, output: [], status: 'failed' }
    tests.set(keyInPackage(Package, Test), test)
    test.status = statuses.get(Action) ?? test.status
    if (Action === 'output') test.output.push(Output)
  }
  return { tests: [...tests.values()], packages, buildOutput }
}

/** Drops groups, that is, tests with inner tests. Keeps a failed group if none of its inner tests failed. */
function leavesOf(tests: readonly GoTest[]): readonly GoTest[] {
  const parents = new Set(tests.flatMap(parentsOf))
  const blamed = new Set(tests.filter(({ status }) => status === 'failed').flatMap(parentsOf))
  return tests.filter(({ pkg, name, status }) => {
    const key = keyInPackage(pkg, name)
    return !parents.has(key) || (status === 'failed' && !blamed.has(key))
  })
}

function parentsOf({ pkg, name }: GoTest): readonly string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => keyInPackage(pkg, parts.slice(0, index + 1).join('/')))
}

function keyInPackage(pkg: string, name: string): string {
  return `${pkg}\0${name}`
}

function toldTest({ pkg, name, output, status }: GoTest, files: GoFiles): ToldTest {
  const file = files.fileOf(pkg, name)
  if (status !== 'failed') return { status, name, file }
  const text = output.join('')
  const own = text.split('\n').filter((line) => !/^\s*(?:=== |--- (?:FAIL|PASS|SKIP))/.test(line))
  const trace = own.findIndex((line) => /^goroutine \d+ \[/.test(line))
  // Shortens `    sums_test.go:13: got 3, want 4` to `got 3, want 4`.
  const message = (trace === -1 ? own : own.slice(0, trace)).join('\n').replace(/^\s+\S+\.go:\d+:[ \t]*/, '')
  const line = file === undefined ? undefined : lineInMessage(text, file.slice(file.lastIndexOf('/') + 1))
  return { status, name, file, line, message }
}

type GoFiles = ReturnType<typeof openGoFiles>

/** Finds folders of packages and files of tests. Go's output contains neither. */
function openGoFiles(root: string) {
  const module = findModule(root)
  const known = new Map<string, ReadonlyMap<string, string>>()
  // Finds only packages below the root, like `./...`. The module may begin above the root.
  const folderOf = (pkg: string): string | undefined => {
    if (module === undefined || !`${pkg}/`.startsWith(`${module.path}/`)) return undefined
    const folder = join(module.folder, pkg.slice(module.path.length + 1))
    return isInside(folder, root) ? pathIn(root, folder) : undefined
  }
  const testsOf = (pkg: string): ReadonlyMap<string, string> => {
    const folder = folderOf(pkg)
    const tests = known.get(pkg) ?? new Map(folder === undefined ? [] : testsInFolder(root, folder))
    known.set(pkg, tests)
    return tests
  }
  return {
    folderOf,
    fileOf: (pkg: string, test: string) => testsOf(pkg).get(test.split('/', 1)[0] ?? ''),
    /** A package without tests affects those of the packages that import it. */
    wholeOf: (pkg: string): Exclude<ToldTest['standsFor'], undefined> =>
      testsOf(pkg).size === 0 ? 'any' : { testsIn: folderOf(pkg) || '.' },
  }
}

function testsInFolder(root: string, folder: string): readonly (readonly [test: string, file: string])[] {
  const names = entriesOf(join(root, folder)).map(({ name }) => name)
  return names
    .filter((name) => name.endsWith('_test.go'))
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
    .flatMap((file) => testNamesIn(join(root, file)).map((test) => [test, file] as const)) // pairs
}

function testNamesIn(file: string): readonly string[] {
  const source = orNothing(() => readFileSync(file, 'utf8')) ?? ''
  return [...source.matchAll(/^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(/gm)].map(([, name = '']) => name)
}

function findModule(root: string): { readonly path: string; readonly folder: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const file = join(folder, 'go.mod')
    const path = orNothing(() => /^module\s+"?([^\s"]+)/m.exec(readFileSync(file, 'utf8'))?.[1])
    if (path !== undefined) return { path, folder }
    if (dirname(folder) === folder) return undefined
  }
}

function buildFailures(
  text: string,
  { root, files }: { readonly root: string; readonly files: GoFiles },
): readonly ToldTest[] {
  const sections = text.split(/^# /m).slice(1)
  return sections.flatMap((section): readonly ToldTest[] => {
    const [head = '', ...lines] = section.split('\n')
    const first = lines.map((line) => /^(?:vet: )?(\S.*?\.go):(\d+):/.exec(line)).find((found) => found !== null)
    if (!first) return []
    const message = lines.filter((line) => line.trim() !== '' && !line.startsWith('FAIL\t')).join('\n')
    const file = relativeFile(first[1] ?? '', root)
    // `pkg_test [pkg.test]` is the external test package of `pkg`.
    const name = /\[(\S+)\.test\]/.exec(head)?.[1] ?? head.split(' ', 1)[0] ?? ''
    return [{ status: 'failed', name, file, line: Number(first[2]), message, standsFor: files.wholeOf(name) }]
  })
}
