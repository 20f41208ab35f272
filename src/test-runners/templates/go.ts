import { dirname, join, relative, sep, basename } from 'node:path'
import { scopeArguments } from '../command-parts.ts'
import type { Runner, FailingTest, RunnerResults, RunnerOutput, TestCounts } from '../runner.ts'
import { z } from 'zod'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isInside } from '../../system/files/paths.ts'
import { countTests, type TestStatus, noResults, messageOf, linesOf, parseJson } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { lineInMessage, relativeFile } from '../readers/place.ts'

/** Patterns are regular expressions of `-run`. Of a file, its package is run, but only the file's own tests. */
export const go: Runner<'go'> = {
  name: 'go',
  files: [{ name: /^go\.(?:mod|work)$/ }],
  form: /go +test/,
  template: {
    all: 'go test -json ./...',
    file: 'go test -json -run=^(TESTS OF FILE)$ ./FOLDER',
    pattern: 'go test -json -run=PATTERN ./...',
  },
  buildCommand({ run, root }) {
    const scope = scopeArguments(run, {
      all: ['./...'],
      file: (path) =>
        path.endsWith('.go')
          ? [`-run=^(${testNamesIn(join(root, path)).join('|')})$`, `./${dirname(path)}`]
          : [`./${path.replace(/\/+$/, '')}/...`],
      pattern: (names) => [`-run=${names}`, './...'],
    })
    return { argv: ['go', 'test', '-json', ...scope] }
  },
  selectTests: (names) => `^(${[...new Set(names.map((name) => name.split('/', 1)[0]))].join('|')})$`,
  // With `-v` its console names all tests.
  reporting: () => ({ args: [], env: { GOFLAGS: '-v' } }),
  showLine: showGoEvent,
  async readResults(output) {
    return readGoOutput(output)
  },
}

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
})

type GoEvent = z.infer<typeof eventSchema>

interface GoOutput extends Pick<RunnerOutput, 'stdout' | 'stderr' | 'isCut'> {
  readonly root: string | undefined
}

interface GoTest {
  readonly pkg: string
  readonly name: string
  readonly output: string[]
  status?: TestStatus
}

interface GoPackage {
  readonly output: string[]
  isFailed: boolean
}

interface GoRun {
  readonly tests: Map<string, GoTest>
  readonly packages: Map<string, GoPackage>
  readonly buildOutput: string[]
}

const statuses: Readonly<Record<string, TestStatus>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

/** Reads `go test -json`. What was compiled in vain counts as a failed test; one that never ended has failed. */
export function readGoOutput(output: GoOutput): RunnerResults {
  const isVerbose = isVerboseConsole(output.stdout)
  const run = gatherEvents(isVerbose ? eventsOfConsole(output.stdout) : eventsIn(output.stdout))
  const compilers = isVerbose ? [output.stdout, output.stderr] : [output.stderr, ...run.buildOutput]
  const broken = buildFailures(compilers.join('\n'), output.root)
  const nothingFound = /matched no packages|no packages to test|no test files/.test(output.stderr)
  if (run.packages.size === 0 && broken.length === 0 && !nothingFound) return noResults
  const tests = leavesOf([...run.tests.values()])
  const files = openGoFiles(output.root)
  const dead = deadPackages(run, { broken, files })
  const failed = tests.filter((test) => statusOf(test) === 'failed')
  const outside: readonly FailingTest[] = [...broken, ...dead]
  return {
    counts: output.isCut ? null : countTests([...tests.map(statusOf), ...outside.map(() => 'failed' as const)]),
    failingTests: [...failed.map((test) => describeGoFailure(test, files)), ...outside],
    passedTests: tests
      .filter((test) => statusOf(test) === 'passed')
      .map(({ pkg, name }) => ({ name, ...named('file', files.fileOf(pkg, name)) })),
  }
}

function showGoEvent(line: string): string | undefined {
  const event = parseEvent(line)
  return event === undefined ? line : event.Output?.replace(/\n$/, '')
}

function parseEvent(line: string): GoEvent | undefined {
  return line.startsWith('{"') ? eventSchema.safeParse(parseJson(line)).data : undefined
}

function* eventsIn(stdout: string): Generator<GoEvent> {
  for (const line of linesOf(stdout)) {
    const event = parseEvent(line)
    if (event !== undefined) yield event
  }
}

function isVerboseConsole(text: string): boolean {
  return /^=== RUN /m.test(text) && /^(?:ok {2}|FAIL)\t\S+/m.test(text)
}

export function countVerbose(text: string): TestCounts | null {
  return isVerboseConsole(text) ? readGoOutput({ stdout: text, stderr: '', root: undefined }).counts : null
}

/** The same events as `-json` gives. The console tells a package at its end. */
function* eventsOfConsole(text: string): Generator<GoEvent> {
  let told: GoEvent[] = []
  const ends = new Set<string>()
  let Test: string | undefined
  for (const line of linesOf(text)) {
    const [, word, Package] = /^(ok {2}|FAIL|\? {3})\t(\S+)/.exec(line) ?? []
    if (Package !== undefined) {
      // A test without an end was left with its package: it has neither passed nor failed.
      for (const { Test: own, ...event } of told) {
        yield { ...event, Package, ...(own !== undefined && ends.has(own) && { Test: own }) }
      }
      yield { Action: word === 'FAIL' ? 'fail' : 'pass', Package }
      told = []
      ends.clear()
      Test = undefined
      continue
    }
    if (/^(?:PASS|FAIL|exit status \d+)$/.test(line)) Test = undefined
    // A test that prints without an end of line has its end behind that.
    const [, end, ended] = /--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/.exec(line) ?? []
    const [, running] = /^=== (?:RUN|CONT|NAME) +(\S+)$/.exec(line) ?? []
    Test = ended ?? running ?? Test
    if (ended !== undefined) ends.add(ended)
    const Action = end?.toLowerCase() ?? (running === undefined ? 'output' : 'run')
    told.push({ Action, ...(Test !== undefined && { Test }), ...(Action === 'output' && { Output: `${line}\n` }) })
  }
}

function gatherEvents(events: Iterable<GoEvent>): GoRun {
  const run: GoRun = { tests: new Map(), packages: new Map(), buildOutput: [] }
  for (const event of events) addEvent(run, event)
  return run
}

function addEvent(run: GoRun, { Action, Package, Test, Output = '' }: GoEvent): void {
  if (Action === 'build-output') run.buildOutput.push(Output.replace(/\n$/, ''))
  if (Package === undefined) return
  const pkg = run.packages.get(Package) ?? { output: [], isFailed: false }
  run.packages.set(Package, pkg)
  if (Test === undefined) {
    if (Action === 'output') pkg.output.push(Output)
    if (Action === 'fail') pkg.isFailed = true
    return
  }
  const key = keyOf(Package, Test)
  const test = run.tests.get(key) ?? { pkg: Package, name: Test, output: [] }
  run.tests.set(key, test)
  const status = statuses[Action]
  if (status !== undefined) test.status = status
  if (Action === 'output') test.output.push(Output)
}

function statusOf(test: GoTest): TestStatus {
  return test.status ?? 'failed'
}

/** Without tests that only hold others, unless they failed by themselves. */
function leavesOf(tests: readonly GoTest[]): readonly GoTest[] {
  const parents = new Set(tests.flatMap(parentsOf))
  const blamed = new Set(tests.filter((test) => statusOf(test) === 'failed').flatMap(parentsOf))
  return tests.filter((test) => {
    const key = keyOf(test.pkg, test.name)
    return !parents.has(key) || (statusOf(test) === 'failed' && !blamed.has(key))
  })
}

function parentsOf({ pkg, name }: GoTest): readonly string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => keyOf(pkg, parts.slice(0, index + 1).join('/')))
}

function keyOf(pkg: string, name: string): string {
  return `${pkg}\0${name}`
}

/**
 * Packages that failed, though none of their tests did: `TestMain`, `init`, `os.Exit`, or another package, that they
 * need, could not be compiled.
 */
function deadPackages(
  { tests, packages }: GoRun,
  { broken, files }: { readonly broken: readonly FailingTest[]; readonly files: GoFiles },
): readonly FailingTest[] {
  const explained = new Set([
    ...[...tests.values()].filter((test) => statusOf(test) === 'failed').map(({ pkg }) => pkg),
    ...broken.map(({ name }) => name),
  ])
  return [...packages].flatMap(([name, { isFailed, output }]): readonly FailingTest[] => {
    if (!isFailed || explained.has(name)) return []
    const message = output.join('').trim()
    return [{ name, ...named('file', files.folderOf(name)), message, standsFor: 'tests' }]
  })
}

function named<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined || value === '' ? {} : ({ [key]: value } as Record<K, string>) // of one key
}

/** Finds the folders of packages, and the files that hold their tests: Go tells neither. */
interface GoFiles {
  folderOf(pkg: string): string | undefined
  fileOf(pkg: string, test: string): string | undefined
}

function openGoFiles(root: string | undefined): GoFiles {
  const module = root === undefined ? undefined : findModule(root)
  const known = new Map<string, ReadonlyMap<string, string>>()
  const folderOf = (pkg: string): string | undefined => {
    if (root === undefined || module === undefined) return undefined
    const isOwn = pkg === module.path || pkg.startsWith(`${module.path}/`)
    // Of `./...` alone: packages of the module that is at the root, or around it.
    const folder = join(module.folder, isOwn ? pkg.slice(module.path.length + 1) : '..')
    return isOwn && isInside(folder, root) ? relative(root, folder).split(sep).join('/') : undefined
  }
  const testsIn = (folder: string): ReadonlyMap<string, string> => {
    const found = known.get(folder) ?? new Map(testFilesIn(join(root ?? '', folder)).flatMap(testsOf))
    known.set(folder, found)
    return found
  }
  return {
    folderOf,
    fileOf(pkg, test) {
      const folder = folderOf(pkg)
      const file = folder === undefined ? undefined : testsIn(folder).get(test.split('/', 1)[0] ?? '')
      return file === undefined || folder === '' ? file : `${folder}/${file}`
    },
  }
}

function testNamesIn(file: string): readonly string[] {
  const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return [...source.matchAll(/^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(/gm)].map(([, name = '']) => name)
}

function testFilesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('_test.go'))
  return names.map((name) => join(folder, name))
}

function testsOf(file: string): readonly (readonly [test: string, file: string])[] {
  const name = relative(dirname(file), file)
  return testNamesIn(file).map((test) => [test, name] as const) // a pair
}

function findModule(root: string): { readonly path: string; readonly folder: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const file = join(folder, 'go.mod')
    const path = existsSync(file) ? /^module\s+"?([^\s"]+)/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
    if (path !== undefined) return { path, folder }
    if (dirname(folder) === folder) return undefined
  }
}

interface FailedGoTest {
  readonly pkg: string
  readonly name: string
  readonly output: readonly string[]
}

function describeGoFailure(test: FailedGoTest, files: GoFiles): FailingTest {
  const text = test.output.join('')
  const own = text.split('\n').filter((line) => !/^\s*(?:=== |--- (?:FAIL|PASS|SKIP))/.test(line))
  const trace = own.findIndex((line) => /^goroutine \d+ \[/.test(line))
  const message = messageOf(withoutPlace((trace === -1 ? own : own.slice(0, trace)).join('\n')))
  const file = files.fileOf(test.pkg, test.name)
  const line = file === undefined ? undefined : lineInMessage(text, basename(file))
  return {
    name: test.name,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message,
    ...readComparison(message),
  }
}

/** What the Go compiler had against packages: one for each, at its first line. */
function buildFailures(text: string, root?: string): readonly FailingTest[] {
  const sections = text.split(/^# /m).slice(1)
  return sections.flatMap((section): FailingTest[] => {
    const [head = '', ...lines] = section.split('\n')
    const first = lines.map((line) => /^(?:vet: )?(\S.*?\.go):(\d+):/.exec(line)).find((found) => found !== null)
    if (!first) return []
    const message = lines.filter((line) => line.trim() !== '' && !line.startsWith('FAIL\t')).join('\n')
    const file = relativeFile(first[1] ?? '', root)
    // `pkg_test [pkg.test]`: tests outside of their package.
    const name = /\[(\S+)\.test\]/.exec(head)?.[1] ?? head.split(' ', 1)[0] ?? ''
    return [{ name, file, line: Number(first[2]), message: messageOf(message), standsFor: 'tests' }]
  })
}

/** `    sums_test.go:13: got 3, want 4` → `got 3, want 4` */
function withoutPlace(text: string): string {
  return text.replace(/^\s+\S+\.go:\d+:[ \t]*/, '')
}
