import { z } from 'zod'
import { countTests, noResults, type TestStatus } from './common/count-tests.ts'
import { buildFailures, describeGoFailure, openGoFiles, type GoFiles } from './go-files.ts'
import { linesOf } from './common/text.ts'
import { parseJson } from './common/results-file.ts'
import type { FailingTest, RunnerOutput, RunnerResults } from '../runner.ts'

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
export function showGoEvent(line: string): string | undefined {
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
