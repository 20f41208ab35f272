import type { UpdateMode } from '../host/protocol/protocol.ts'
import type { ResolvedOptions } from '../plan/options/resolve-options.ts'
import type { FailureDetails } from '../plan/failure.ts'
import type { Plan } from '../plan/plan.ts'
import type { StepMeta } from '../plan/step-meta.ts'

/** Variable that tells Jest's workers the address of the server. */
export const addressVariable = 'MDTEST_JEST'

/** Address of the server on loopback. Each connection needs the token. */
export interface ServerAddress {
  readonly port: number
  readonly token: string
}

export interface ServerSettings {
  readonly options: ResolvedOptions
  /** Absolute paths that agents must not change: Jest's configuration. */
  readonly guardedFiles: readonly string[]
  /** `--testNamePattern`. */
  readonly namePattern?: string
  readonly updateMode: UpdateMode
}

/** What Jest's main process asks of the server. */
export interface ServerFunctions {
  start(settings: ServerSettings): Promise<ServerAddress>
  /** The settled steps of a spec (absolute path), by the places of their tests in it. */
  settled(file: string): Promise<Readonly<Record<number, StepMeta>>>
  /** Ends the run and returns its last lines. */
  close(): Promise<readonly string[]>
}

/** What the transform writes into a test file, as JSON. */
export interface JestPlan extends Plan {
  /** Jest's `rootDir`. */
  readonly root: string
  readonly options: ResolvedOptions
}

/** What a test file asks of the server. Its connection is its sign of life. */
export interface SpecFunctions {
  /** The first message of a connection. */
  open(file: { readonly plan: JestPlan; readonly env: NodeJS.ProcessEnv }): void
  /** Settles a step and returns how its test fails. */
  step(scenario: number, ordinal: number): Promise<FailureDetails | undefined>
  /** After all steps of a scenario: failures that no step has shown. */
  end(scenario: number): Promise<FailureDetails | undefined>
  /** After all scenarios: expected output that could not be rewritten. */
  close(): Promise<FailureDetails | undefined>
}
