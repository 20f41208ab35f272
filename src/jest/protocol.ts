import type { HostAddress, UpdateMode } from '../host/protocol/protocol.ts'
import type { ResolvedOptions } from '../plan/options/option-defaults.ts'
import type { FailureDetails } from '../plan/describe-failure.ts'
import type { Plan } from '../plan/plan.ts'
import type { StepMeta } from '../plan/step-meta.ts'

/** This variable tells Jest's workers the address of the server. */
export const addressVariable = 'MDTEST_JEST'

export type ServerAddress = Pick<HostAddress, 'port' | 'token'>

export interface ServerSettings {
  readonly options: ResolvedOptions
  /** Absolute paths of Jest's configuration files, which agents must not change. */
  readonly guardedFiles: readonly string[]
  readonly namePattern?: string
  readonly updateMode: UpdateMode
}

/** Functions that the server offers to Jest's main process. */
export interface ServerFunctions {
  start(settings: ServerSettings): Promise<ServerAddress>
  /** Finished steps of a spec (absolute path). The key is the index of the step's test in the file. */
  settled(file: string): Promise<Readonly<Record<number, StepMeta>>>
  /** Ends the run and returns its last lines. */
  close(): Promise<readonly string[]>
}

/** The plan of a spec. The transform writes it into the test file, as JSON. */
export interface JestPlan extends Plan {
  readonly root: string
  readonly options: ResolvedOptions
}

/** The test file of a spec calls these functions of the server. The test file has ended when the connection closes. */
export interface SpecFunctions {
  /** Must be called first on each connection. */
  open(file: { readonly plan: JestPlan; readonly env: NodeJS.ProcessEnv }): void
  step(scenario: number, ordinal: number): Promise<FailureDetails | undefined>
  /** Call after all steps of a scenario. Returns a failure that was found only after the steps. */
  end(scenario: number): Promise<FailureDetails | undefined>
  /** Call after all scenarios. Returns a failure if the expected output could not be updated. */
  close(): Promise<FailureDetails | undefined>
}
