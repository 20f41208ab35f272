import type { UpdateMode } from '../host/protocol/protocol.ts'
import type { ResolvedOptions } from '../plan/options/resolve-options.ts'
import type { FailureDetails } from '../plan/failure.ts'
import type { Plan } from '../plan/plan.ts'
import type { StepMeta } from '../plan/step-meta.ts'

/** Name of the variable in which Jest's workers find where the server is. */
export const addressVariable = 'MDTEST_JEST'

/** Where test files reach the server: loopback only, and nobody gets in without the token. */
export interface ServerAddress {
  readonly port: number
  readonly token: string
}

/** What a run of Jest is asked for. */
export interface ServerSettings {
  readonly options: ResolvedOptions
  /** Absolute paths of files that agents must not change: Jest's configuration. */
  readonly guardedFiles: readonly string[]
  /** `--testNamePattern`, where there is one. */
  readonly namePattern?: string
  readonly updateMode: UpdateMode
}

/** What Jest's main process asks of the server. */
export interface ServerFunctions {
  /** Starts listening. */
  start(settings: ServerSettings): Promise<ServerAddress>
  /** What was settled of the steps of a spec (absolute path), by the places of their tests in it. */
  settled(file: string): Promise<Readonly<Record<number, StepMeta>>>
  /** All tests are over. Ends what is under way and gives the last lines of the run. */
  close(): Promise<readonly string[]>
}

/** What the transform puts into a test file, as JSON. */
export interface JestPlan extends Plan {
  /** Absolute path of the suite root: Jest's `rootDir`. */
  readonly root: string
  readonly options: ResolvedOptions
}

/** What a test file asks of the server. Its connection is its sign of life. */
export interface SpecFunctions {
  /** Comes first. */
  open(file: { readonly plan: JestPlan; readonly env: NodeJS.ProcessEnv }): void
  /** Settles a step; how its test fails, if it does. */
  step(scenario: number, ordinal: number): Promise<FailureDetails | undefined>
  /** After all steps of a scenario; what none of them has shown. */
  end(scenario: number): Promise<FailureDetails | undefined>
  /** After all scenarios; what was not rewritten of expected output. */
  close(): Promise<FailureDetails | undefined>
}
