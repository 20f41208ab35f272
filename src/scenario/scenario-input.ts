import type { BlockContext } from '../blocks/run-blocks.ts'
import type { ModuleRunner } from '../blocks/module/run-module.ts'
import type { HostClient } from '../host/server/connect-host.ts'
import type { AfterFailure } from '../spec/front-matter/front-matter.ts'
import type { SpecSettings } from '../plan/options/spec-settings.ts'
import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import type { RecordedReason } from '../records/recorded-reason.ts'
import type { Scenario, Spec } from '../spec/spec.ts'
import type { Reproduction } from '../verdict/verdict.ts'
import type { ScenarioAccount } from './scenario-account.ts'

/** Repeats steps before they count. */
export interface Repeater {
  /** Whether a pass that cannot be repeated fails; else it is lowered. */
  readonly isRequired: boolean
  /**
   * Repeats the steps that passed. Never rejects: what keeps it from repeating is a problem of the first step.
   *
   * @param signal is aborted when the run is interrupted
   */
  repeat(account: ScenarioAccount, signal: AbortSignal): Promise<NonNullable<Reproduction['steps']>>
}

/** What one scenario is run with. */
export interface ScenarioInput {
  readonly spec: Spec
  readonly scenario: Scenario
  /** SHA-256 of the spec and of what it includes, as they were read, in hexadecimal; by absolute path. */
  readonly hashes: Readonly<Record<string, string>>
  readonly settings: SpecSettings
  /** In place of the setting of that name. */
  readonly afterFailure?: AfterFailure
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly host: HostClient
  /** What executes `ts` and `js` blocks; where there is none they fail. */
  readonly executeModule?: ModuleRunner
  /** Their code may stand at a breakpoint, so it has no time limit. */
  readonly isDebugged?: boolean
  /** Why a recording of the scenario did not fit, where the agent is asked for that. */
  readonly handedOver?: RecordedReason | undefined
  /** Counted from 1: a retry of any step is a new attempt at the scenario. */
  readonly attempt: number
  /** Ordinals of the steps that are reported; those before the last of them run as well. */
  readonly selected: ReadonlySet<number>
  /** Adds to what is written down how often steps passed, where the scenario is run several times. */
  readonly rate?: (verdict: ScenarioVerdict) => ScenarioVerdict
  /** Is told of each command of a transcript that ran to its end, before the next one begins. */
  readonly onCommand?: BlockContext['onCommand']
  /** Is told the absolute path of the working directory before the blocks of each section. */
  readonly onBlocks?: ((directory: string) => Promise<void>) | undefined
  /** Repeats what the agent did, without it; where it is absent, a pass of the agent counts as it is. */
  readonly reproduce?: Repeater
  /** An earlier run of the scenario was made, in this attempt or another: a block can skip it no more. */
  readonly isRepetition?: boolean
}
