import type { UpdateMode } from '../host/protocol/protocol.ts'
import type { ResolvedOptions } from '../plan/options/resolve-options.ts'
import type { FailureDetails } from '../plan/failure.ts'
import type { Plan } from '../plan/plan.ts'
import type { StepMeta } from '../plan/step-meta.ts'

/** Environment variable that passes the server's address to Jest's workers. */
export const addressVariable = 'MDTEST_JEST'

export interface ServerAddress {
  readonly port: number
  readonly token: string
}

export interface ServerSettings {
  readonly options: ResolvedOptions
  /** Absolute paths that agents must not change: Jest's configuration. */
  readonly guardedFiles: readonly string[]
  readonly namePattern?: string
  readonly updateMode: UpdateMode
}

/** Functions that the server offers to Jest's main process. */
export interface ServerFunctions {
  start(settings: ServerSettings): Promise<ServerAddress>
  /** Finished steps of a spec (absolute path), by the index of their test in the file. */
  settled(file: string): Promise<Readonly<Record<number, StepMeta>>>
  /** Ends the run and returns its last lines. */
  close(): Promise<readonly string[]>
}

/** The transform embeds this in a test file, as JSON. */
export interface JestPlan extends Plan {
  readonly root: string
  readonly options: ResolvedOptions
}

/** Functions that the server offers to a test file. A closed connection means that the test file has ended. */
export interface SpecFunctions {
  /** Must be called first on each connection. */
  open(file: { readonly plan: JestPlan; readonly env: NodeJS.ProcessEnv }): void
  step(scenario: number, ordinal: number): Promise<FailureDetails | undefined>
  /** Call after all steps of a scenario. Returns failures that were found after the results of the steps. */
  end(scenario: number): Promise<FailureDetails | undefined>
  /** Call after all scenarios. Returns a failure if expected output could not be rewritten. */
  close(): Promise<FailureDetails | undefined>
}
