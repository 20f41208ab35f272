import type { UpdateMode } from '../host/protocol/protocol.ts'
import type { ResolvedOptions } from '../plan/options/resolve-options.ts'
import type { FailureDetails } from '../plan/failure.ts'
import type { Plan } from '../plan/plan.ts'
import type { StepMeta } from '../plan/step-meta.ts'

/** It tells Jest's workers the address of the server. */
export const addressVariable = 'MDTEST_JEST'

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

/** For Jest's main process. */
export interface ServerFunctions {
  start(settings: ServerSettings): Promise<ServerAddress>
  /** Steps of a spec (absolute path), by the places of their tests in it. */
  settled(file: string): Promise<Readonly<Record<number, StepMeta>>>
  /** Ends the run and returns its last lines. */
  close(): Promise<readonly string[]>
}

/** The transform writes it into a test file, as JSON. */
export interface JestPlan extends Plan {
  /** Jest's `rootDir`. */
  readonly root: string
  readonly options: ResolvedOptions
}

/** For a test file, whose connection is its sign of life. */
export interface SpecFunctions {
  /** The first message of a connection. */
  open(file: { readonly plan: JestPlan; readonly env: NodeJS.ProcessEnv }): void
  step(scenario: number, ordinal: number): Promise<FailureDetails | undefined>
  /** After all steps of a scenario: failures that no step has shown. */
  end(scenario: number): Promise<FailureDetails | undefined>
  /** After all scenarios: expected output that could not be rewritten. */
  close(): Promise<FailureDetails | undefined>
}
