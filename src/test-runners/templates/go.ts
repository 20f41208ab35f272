import { dirname, join, relative, sep, basename } from 'node:path'
import { scopeArguments } from '../command-parts.ts'
import type { Runner, FailingTest, RunnerResults, RunnerOutput } from '../runner.ts'
import { z } from 'zod'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isInside } from '../../system/files/paths.ts'
import {
  countTests,
  type TestStatus,
  noResults,
  messageOf,
  maxFailures,
  linesOf,
  parseJson,
} from '../readers/reading.ts'
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
    return readVerbose(output.stdout) ?? readGoOutput(output)
  },
}

const consoleWords: Readonly<Record<string, TestStatus>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

interface Ending {
  readonly name: string
  readonly status: TestStatus
  /** What stands below it. */
  readonly body: string
}

/** The console of `go test -v`, as commands of others have it. */
export function readVerbose(text: string): RunnerResults | undefined {
  if (!/^=== RUN /m.test(text) || !/^(?:ok {2}|FAIL)\t\S+/m.test(text)) return undefined
  const endings = leavesOfEndings(endingsOf(text))
  const failed = endings.filter(({ status }) => status === 'failed').slice(0, maxFailures)
  const broken = [...buildFailures(text), ...(failed.length === 0 ? brokenPackages(text) : [])]
  return {
    counts: countTests([...endings.map(({ status }) => status), ...broken.map(() => 'failed' as const)]),
    failingTests: [...failed.map((ending) => failureInConsole(ending, text)), ...broken],
    passedTests: endings.filter(({ status }) => status === 'passed').map(({ name }) => ({ name })),
  }
}

/** Packages that ended as failed without a test that did: by `os.Exit`, by a panic outside of tests. */
function brokenPackages(text: string): readonly FailingTest[] {
  const packages = [...text.matchAll(/^FAIL\t(\S+)\t\d+\.\d+s$/gm)].map(([, name = '']) => name)
  return packages.map((name) => ({ name, message: 'The package ended as failed.', standsFor: 'tests' }))
}

function endingsOf(text: string): readonly Ending[] {
  // What a test prints without an end of line stands before it.
  const parts = text.split(/--- (?=(?:PASS|FAIL|SKIP): \S+ \(\d+\.\d+s\)$)/m).slice(1)
  return parts.map((part) => {
    const [, word = '', name = ''] = /^(\w+): (\S+)/.exec(part) ?? []
    const body = part.slice(part.indexOf('\n') + 1).split(/^(?:=== |PASS$|FAIL|ok {2}\t|exit status)/m, 1)[0] ?? ''
    return { name, status: consoleWords[word] ?? 'failed', body }
  })
}

function leavesOfEndings(endings: readonly Ending[]): readonly Ending[] {
  const parents = new Set(
    endings.flatMap(({ name }) => name.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))),
  )
  return endings.filter(({ name }) => !parents.has(name))
}

function failureInConsole({ name, body }: Ending, text: string): FailingTest {
  // With `-v` what a test logs stands between its beginning and its end.
  const log = body.trim() === '' ? (text.split(`=== RUN   ${name}\n`)[1]?.split(/^ *(?:--- |=== )/m, 1)[0] ?? '') : body
  const [, file, line] = /^[ \t]+(\S+\.go):(\d+): /m.exec(log) ?? []
  const message = messageOf((log.split(/^goroutine \d+ \[/m, 1)[0] ?? '').replace(/^\s+\S+\.go:\d+:[ \t]*/, ''))
  return { name, ...(file !== undefined && { file, line: Number(line) }), message, ...readComparison(message) }
}

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
})

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
  /** What compilers said: on standard error, since Go 1.24 in events. */
  readonly buildOutput: string[]
}

const statuses: Readonly<Record<string, TestStatus>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

/** Reads `go test -json`. What was compiled in vain counts as a failed test; one that never ended has failed. */
export function readGoOutput(output: GoOutput): RunnerResults {
  const run = gatherEvents(output.stdout)
  const broken = buildFailures([output.stderr, ...run.buildOutput].join('\n'), output.root)
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

/** What a test printed, of the event that tells of it; other events say nothing more. */
function showGoEvent(line: string): string | undefined {
  const event = parseEvent(line)
  return event === undefined ? line : event.Output?.replace(/\n$/, '')
}

function parseEvent(line: string): z.infer<typeof eventSchema> | undefined {
  return line.startsWith('{"') ? eventSchema.safeParse(parseJson(line)).data : undefined
}

function gatherEvents(stdout: string): GoRun {
  const run: GoRun = { tests: new Map(), packages: new Map(), buildOutput: [] }
  for (const line of linesOf(stdout)) {
    const event = parseEvent(line)
    if (event !== undefined) addEvent(run, event)
  }
  return run
}

function addEvent(run: GoRun, { Action, Package, Test, Output = '' }: z.infer<typeof eventSchema>): void {
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
  /** Of a package, relative to the root; `undefined` where it is outside or unknown. */
  folderOf(pkg: string): string | undefined
  /** The file of a test or of the test that it is in, relative to the root. */
  fileOf(pkg: string, test: string): string | undefined
}

/** @param root absolute; `undefined` where it is not known: then nothing is found */
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

/** Names of the tests that a file declares. */
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

/** The nearest `go.mod`, from the root upwards. */
function findModule(root: string): { readonly path: string; readonly folder: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const file = join(folder, 'go.mod')
    const path = existsSync(file) ? /^module\s+"?([^\s"]+)/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
    if (path !== undefined) return { path, folder }
    if (dirname(folder) === folder) return undefined
  }
}

/** A failed test of Go with the lines that it printed. */
interface FailedGoTest {
  readonly pkg: string
  readonly name: string
  readonly output: readonly string[]
}

/** Describes a failed test by what it logged, or how it panicked. */
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
