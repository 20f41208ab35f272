import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { countTests, noResults, type TestStatus } from './count-tests.ts'
import { buildFailures, describeGoFailure } from './go-failures.ts'
import { linesOf } from './lines.ts'
import { parseJson } from './results-file.ts'
import type { FailingTest, RunnerOutput, RunnerResults } from './runner.ts'

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
  const broken = buildFailures([output.stderr, ...run.buildOutput].join('\n'))
  const nothingFound = /matched no packages|no packages to test|no test files/.test(output.stderr)
  if (run.packages.size === 0 && broken.length === 0 && !nothingFound) return noResults
  const tests = leavesOf([...run.tests.values()])
  const dead = deadPackages(run, broken)
  const failed = tests.filter((test) => statusOf(test) === 'failed')
  const outside: readonly FailingTest[] = [...broken, ...dead]
  const modulePath = readModulePath(output.root)
  return {
    counts: output.isCut ? null : countTests([...tests.map(statusOf), ...outside.map(() => 'failed' as const)]),
    failingTests: [...failed.map((test) => describeGoFailure(test, { root: output.root, modulePath })), ...outside],
    // Only of what failed a place is told.
    passedTests: tests.filter((test) => statusOf(test) === 'passed').map(({ name }) => ({ name })),
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

/** Packages that failed, though none of their tests did and they were compiled: `TestMain`, `init`, `os.Exit`. */
function deadPackages({ tests, packages }: GoRun, broken: readonly FailingTest[]): readonly FailingTest[] {
  const explained = new Set([
    ...[...tests.values()].filter((test) => statusOf(test) === 'failed').map(({ pkg }) => pkg),
    ...broken.map(({ name }) => name),
  ])
  return [...packages].flatMap(([name, { isFailed, output }]) => {
    const text = output.join('').trim()
    const isBuild = /\[(?:build|setup) failed\]/.test(text)
    return isFailed && !isBuild && !explained.has(name) ? [{ name, message: text }] : []
  })
}

function readModulePath(root: string | undefined): string | undefined {
  if (root === undefined) return undefined
  const file = join(root, 'go.mod')
  return existsSync(file) ? /^module\s+"?([^\s"]+)/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
}
