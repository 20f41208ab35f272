import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { quoteRegex } from '../system/text/shell-and-regex-quotes.ts'

/** What to run. The caller has checked `target`: a file is inside the repository, and no target contains NUL. */
export type RunScope = { readonly scope: 'all' } | { readonly scope: 'file' | 'pattern'; readonly target: string }

/** A command that runs without a shell, so that a target stays one argument. */
export interface RunnerCommand {
  readonly argv: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
}

export interface RunnerOutput {
  /** If the output was very long, its beginning is missing, and so are some results of `go` and `cargo`. */
  readonly stdout: string
  readonly stderr: string
  readonly resultsDir: string
  readonly root: string
  readonly exitCode: number | null
  /** The requested tests, if known. Results of other tests do not count. */
  readonly run?: RunScope
  /** Start time in milliseconds since 1970. Older result files belong to an earlier run. */
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
  /** Relative to the repository, with `/`. Outside of the repository, the path is as the runner printed it. */
  readonly file?: string
  readonly line?: number
  readonly message: string
  readonly expected?: string
  readonly received?: string
  /** Set for a failure outside of tests. `testsIn`: the file or folder that failed. `any`: tests of any file may be affected. */
  readonly standsFor?: { readonly testsIn: string } | 'any'
}

export function formatPlace(at: { readonly file?: string | undefined; readonly line?: number | undefined }): string {
  return [at.file, at.line].filter((part) => part !== undefined).join(':')
}

export type NamedTest = Pick<FailingTest, 'name' | 'file'>

export interface RunnerResults {
  readonly counts: TestCounts | null
  /** Number of passed files without tests. The runner's console counts them as tests, `counts` does not. */
  readonly emptyFiles?: number
  readonly failingTests: readonly FailingTest[]
  /** Passed tests, named like failed tests. Absent if the runner does not list passed tests. */
  readonly passedTests?: readonly NamedTest[]
  readonly skippedTests?: readonly NamedTest[]
  /** Names of tests that had begun when the run was ended. Contains a file's name if the file's tests are unknown. */
  readonly unfinished?: readonly string[]
}

/** How a runner prints counts of tests. Patterns must match in linear time. Each match of `summary` is added up. */
export interface ConsoleForm {
  readonly summary: RegExp
  /** Pattern of the words beside the number of passed tests. `failed` and `skipped` are patterns of the same kind. */
  readonly passed: string
  readonly failed: string
  readonly skipped: string
  readonly broken?: RegExp
  readonly within?: RegExp
  /** Whether `summary` matches running totals. If so, only the last match counts. */
  readonly isRunning?: true
  /** Whether the number next to `passed` counts all tests. */
  readonly tellsAll?: true
}

interface RunnerFacts<Name extends string = string> {
  readonly name: Name
  readonly packages?: readonly string[]
  /** The command that installs the runner. Default: `npm install -D` with the first of `packages`. */
  readonly install?: string
  /** Files that only projects with this runner have. A project needs one of them. */
  readonly files?: readonly { readonly name: RegExp; readonly content?: RegExp }[]
  /** A runner that recognizes the same project but cannot run its tests. For `flutter`, this is `dart`. */
  readonly supersedes?: string
  /** Recognizes command lines that start this runner. Prefixes such as `npx` and `CI=1` need no pattern. */
  readonly form: RegExp
  readonly inScript?: RegExp
  /** Option that sets reporters. If a command already has this option, mdtest cannot add its own reporter. */
  readonly reporterOption?: string
  readonly console?: ConsoleForm
  /** Matches a printed line about a failure that counts may lack. */
  readonly failure?: RegExp
  readonly template: Readonly<Record<RunScope['scope'], string>>
  /** Returns a pattern that selects the tests with these names. Absent if the runner has no such pattern. */
  readonly selectTests?: (names: readonly string[]) => string | undefined
  /** Arguments that limit a run of all tests to those affected by uncommitted changes. Default: none. */
  readonly changed?: readonly string[]
  /** Returns the readable form of a line of standard output, `undefined` to hide it. Default: the line itself. */
  readonly showLine?: (line: string) => string | undefined
  /** Never throws, even if the run left invalid files. */
  readonly readResults: (output: RunnerOutput) => Promise<RunnerResults>
}

export interface Runner<Name extends string = string> extends RunnerFacts<Name> {
  readonly buildCommand: (request: Required<Pick<RunnerOutput, 'run' | 'resultsDir' | 'root'>>) => RunnerCommand
  readonly reporting: (resultsDir: string) => {
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
}

interface RunnerData<Name extends string> extends RunnerFacts<Name> {
  readonly program: (root: string) => readonly [string, ...string[]]
  /** Arguments that make the runner write results. Default: none, because the runner prints results anyway. */
  readonly reporters?: (resultsDir: string) => readonly string[]
  readonly env?: (resultsDir: string) => Readonly<Record<string, string>>
  /** Variables that pass `reporters` to a user's command. Default: `reporters` are added to the command's end. */
  readonly asEnv?: (reporters: readonly string[]) => Readonly<Record<string, string>>
  /** Arguments that select what to run. Default for a file: `./FILE`. */
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

/** How to start a program: from the project's `node_modules`, otherwise by npx. Never installs anything. */
export function packageProgram(root: string, name: string): [string, ...string[]] {
  const local = join(root, 'node_modules', '.bin', name)
  return existsSync(local) ? [local] : ['npx', '--no-install', name]
}

export function projectProgram(root: string, files: readonly string[], onPath: string): string {
  return files.map((file) => join(root, file)).find((file) => existsSync(file)) ?? onPath
}

/** A pattern for full names of tests, in which runners join titles with a blank or with ` > `. */
export function anyFullName(names: readonly string[]): string {
  const patterns = names.map((name) => name.split(' > ').map(quoteRegex).join('(?: >)? '))
  return `^(?:${patterns.join('|')})$`
}

export function anyTitle(names: readonly string[]): string {
  return [...new Set(names.map((name) => quoteRegex(name.split(' > ').at(-1) ?? name)))].join('|')
}
