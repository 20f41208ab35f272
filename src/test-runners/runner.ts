import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { quoteRegex } from '../system/text/quoting.ts'

/** What to run. A `target` was checked by the caller: a file is inside the repository and nothing has NUL in it. */
export type RunScope =
  | { readonly scope: 'all' }
  | { readonly scope: 'file'; readonly target: string }
  | { readonly scope: 'pattern'; readonly target: string }

export interface RunnerRequest {
  readonly run: RunScope
  readonly resultsDir: string
  readonly root: string
}

/** A command without a shell: no part of a target becomes an option or a word of its own. */
export interface RunnerCommand {
  readonly argv: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
}

export interface RunnerOutput {
  /** Its output as text; the end of it where it was very long. `go` and `cargo` are counted from it: keep some 16 MiB. */
  readonly stdout: string
  readonly stderr: string
  readonly resultsDir: string
  readonly root: string
  readonly exitCode: number | null
  /** What was asked for, where it is known: what ran besides does not stand for it. */
  readonly run?: RunScope
  /** When it was started: milliseconds since 1970. Older result files are those of an earlier run. */
  readonly startedAtMs: number
}

export interface TestCounts {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface FailingTest {
  readonly name: string
  /** Relative to the repository, with `/`; as the runner printed it where it is outside. */
  readonly file?: string
  readonly line?: number
  readonly message: string
  readonly expected?: string
  readonly received?: string
  /** Of what is no test: `tests` of a file that cannot be loaded, or `any` test, by code that does not compile. */
  readonly standsFor?: 'tests' | 'any'
}

export function placeOf({
  file,
  line,
}: {
  readonly file?: string | undefined
  readonly line?: number | undefined
}): string {
  return [file, line].filter((part) => part !== undefined).join(':')
}

export type NamedTest = Pick<FailingTest, 'name' | 'file'>

export interface RunnerResults {
  readonly counts: TestCounts | null
  readonly failingTests: readonly FailingTest[]
  /** Tests that passed, by the names that they would have had among those that failed; where the runner tells them. */
  readonly passedTests?: readonly NamedTest[]
  readonly skippedTests?: readonly NamedTest[]
}

/** Where the console of a runner tells numbers of tests, linear in time. Each match of `summary` is of other tests. */
export interface ConsoleForm {
  readonly summary: RegExp
  /** Words before or behind a number, as a pattern. */
  readonly passed: string
  readonly failed: string
  readonly skipped: string
  readonly broken?: RegExp
  readonly within?: RegExp
  /** The last match has all numbers, not each its own. */
  readonly isRunning?: true
  /** The number of those that passed is that of all. */
  readonly tellsAll?: true
}

interface RunnerFacts<Name extends string = string> {
  readonly name: Name
  readonly packages?: readonly string[]
  /** Files that only projects with this runner have; each of them shows it. */
  readonly files?: readonly { readonly name: RegExp; readonly content?: RegExp }[]
  /** The runner that the same files show, and that cannot run these tests. */
  readonly supersedes?: string
  /** How a command line of others begins that starts it, behind what may stand before any program. */
  readonly form: RegExp
  readonly inScript?: RegExp
  /** The option for reporters, where those that a command has chosen leave no place for ours. */
  readonly reporterOption?: string
  readonly console?: ConsoleForm
  /** Counts also files without tests. */
  readonly countsFiles?: true
  readonly template: Readonly<Record<RunScope['scope'], string>>
  /** The pattern that selects tests by the names that they have among those that failed. Default: it has none. */
  readonly selectTests?: (names: readonly string[]) => string | undefined
  /** Arguments behind those for all tests, by which only those run that uncommitted changes concern. Default: it has none. */
  readonly changed?: readonly string[]
  /** What people would read of a line of standard output, `undefined` for nothing. Default: the line. */
  readonly showLine?: (line: string) => string | undefined
  /** Throws nothing, whatever a run left. */
  readonly readResults: (output: RunnerOutput) => Promise<RunnerResults>
}

export interface Runner<Name extends string = string> extends RunnerFacts<Name> {
  readonly buildCommand: (request: RunnerRequest) => RunnerCommand
  readonly reporting: (resultsDir: string) => {
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
}

interface RunnerData<Name extends string> extends RunnerFacts<Name> {
  readonly program: (root: string) => readonly [string, ...string[]]
  /** Arguments that make it leave results. Default: these are in what it prints or leaves in any case. */
  readonly reporters?: (resultsDir: string) => readonly string[]
  readonly env?: (resultsDir: string) => Readonly<Record<string, string>>
  /** How the command of somebody else gets the reporters by its environment. Default: as arguments at its end. */
  readonly asEnv?: (reporters: readonly string[]) => Readonly<Record<string, string>>
  /** Arguments for what is to be run. Default of a file: `./FILE`. */
  readonly scope: {
    readonly all?: readonly string[]
    readonly file?: (path: string, root: string) => readonly string[]
    readonly pattern: (pattern: string) => readonly string[]
  }
}

export function runner<const Name extends string>(data: RunnerData<Name>): Runner<Name> {
  const { program, reporters = () => [], env = () => ({}), asEnv, scope, ...facts } = data
  const { all = [], file = (path) => [`./${path}`], pattern } = scope
  return {
    ...facts,
    buildCommand({ run, resultsDir, root }) {
      const asked = run.scope === 'all' ? all : run.scope === 'file' ? file(run.target, root) : pattern(run.target)
      return { argv: [...program(root), ...reporters(resultsDir), ...asked], env: env(resultsDir) }
    },
    reporting: (resultsDir) =>
      asEnv ? { args: [], env: asEnv(reporters(resultsDir)) } : { args: reporters(resultsDir), env: env(resultsDir) },
  }
}

/** The program of a package in the project's `node_modules`, else whichever npx finds; nothing is ever installed. */
export function packageProgram(root: string, name: string): [string, ...string[]] {
  const local = join(root, 'node_modules', '.bin', name)
  return existsSync(local) ? [local] : ['npx', '--no-install', name]
}

export function projectProgram(root: string, files: readonly string[], onPath: string): string {
  return files.map((file) => join(root, file)).find((file) => existsSync(file)) ?? onPath
}

/** A pattern for tests by their full names, as runners join titles: with blanks or ` > `. */
export function anyFullName(names: readonly string[]): string {
  const patterns = names.map((name) => name.split(' > ').map(quoteRegex).join('(?: >)? '))
  return `^(?:${patterns.join('|')})$`
}

export function anyTitle(names: readonly string[]): string {
  return [...new Set(names.map((name) => quoteRegex(name.split(' > ').at(-1) ?? name)))].join('|')
}
