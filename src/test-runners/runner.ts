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
  /** `null` when it was ended by a signal or never started. */
  readonly exitCode: number | null
  /** What was asked for, where it is known: what ran besides does not stand for it. */
  readonly run?: RunScope
  /** When it was started: milliseconds since 1970. Older result files are those of an earlier run. */
  readonly startedAtMs: number
  /** Whether `stdout` lacks its beginning; then what is counted from it is unknown. */
  readonly isCut?: boolean
}

/** `total - skipped` tests were executed. */
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
  /**
   * Of what is no test: `tests` that did not run, such as those of a file that could not be loaded, or `any` test, such as
   * by code that could not be compiled, whoever uses it.
   */
  readonly standsFor?: 'tests' | 'any'
}

export type NamedTest = Pick<FailingTest, 'name' | 'file'>

export interface RunnerResults {
  readonly counts: TestCounts | null
  readonly failingTests: readonly FailingTest[]
  /** Tests that passed, by the names that they would have had among those that failed; where the runner tells them. */
  readonly passedTests?: readonly NamedTest[]
}

export interface Reporting {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface RootFile {
  readonly name: RegExp
  readonly content?: RegExp
}

/**
 * One test runner: how a project and a command show it, how it is started and how its results are read. Neither throws on
 * what a run left.
 */
export interface Runner<Name extends string = string> {
  readonly name: Name
  readonly packages?: readonly string[]
  /** Files that only projects with this runner have; each of them shows it. */
  readonly files?: readonly RootFile[]
  /** The runner that the same files show, and that cannot run these tests. */
  readonly supersedes?: string
  /** How a command line of others begins that starts it, behind what may stand before any program. */
  readonly form: RegExp
  readonly inScript?: RegExp
  /** The option for reporters, where those that a command has chosen leave no place for ours. */
  readonly reporterOption?: string
  /** Counts also files without tests. */
  readonly countsFiles?: true
  readonly template: Readonly<Record<RunScope['scope'], string>>
  readonly buildCommand: (request: RunnerRequest) => RunnerCommand
  /** The pattern that selects tests by the names that they have among those that failed. Default: it has none. */
  readonly selectTests?: (names: readonly string[]) => string | undefined
  /** Arguments behind those for all tests, by which only those run that uncommitted changes concern. Default: it has none. */
  readonly changed?: readonly string[]
  /** For commands that others wrote. Default: nothing, its results are in what it prints or leaves in any case. */
  readonly reporting?: (resultsDir: string) => Reporting
  /** What people would read of a line of standard output, `undefined` for nothing. Default: the line. */
  readonly showLine?: (line: string) => string | undefined
  readonly readResults: (output: RunnerOutput) => Promise<RunnerResults>
}
