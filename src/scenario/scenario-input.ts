import type { BlockContext } from '../blocks/run-blocks.ts'
import type { ModuleRunner } from '../blocks/module/run-module.ts'
import type { AgentProgress } from '../host/protocol/protocol.ts'
import type { HostClient } from '../host/server/connect-host.ts'
import type { AfterFailure } from '../spec/front-matter/front-matter.ts'
import type { SpecSettings } from '../plan/options/spec-settings.ts'
import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import type { RecordedReason } from '../records/recorded-reason.ts'
import type { Scenario, Spec } from '../spec/spec.ts'
import type { Reproduction, AgentEvidence } from '../verdict/verdict.ts'

export interface Repeater {
  /** Whether a pass that cannot be repeated fails; else it is lowered. */
  readonly isRequired: boolean
  /** Repeats the steps that passed. Never rejects: what keeps it from repeating is a problem of the first step. */
  repeat(account: ScenarioAccount, signal: AbortSignal): Promise<NonNullable<Reproduction['steps']>>
}

export interface ScenarioInput {
  readonly spec: Spec
  readonly scenario: Scenario
  /** SHA-256 of the spec and of what it includes, as they were read, in hexadecimal; by absolute path. */
  readonly hashes: Readonly<Record<string, string>>
  readonly settings: SpecSettings
  readonly afterFailure?: AfterFailure
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly host: HostClient
  readonly executeModule?: ModuleRunner
  /** Their code may stand at a breakpoint, so it has no time limit. */
  readonly isDebugged?: boolean
  readonly handedOver?: RecordedReason | undefined
  readonly attempt: number
  /** Ordinals of the steps that are reported; those before the last of them run as well. */
  readonly selected: ReadonlySet<number>
  /** Adds to what is written down how often steps passed, where the scenario is run several times. */
  readonly rate?: (verdict: ScenarioVerdict) => ScenarioVerdict
  readonly onCommand?: BlockContext['onCommand']
  readonly onBlocks?: ((directory: string) => Promise<void>) | undefined
  readonly reproduce?: Repeater
  /** An earlier run of the scenario was made, in this attempt or another: a block can skip it no more. */
  readonly isRepetition?: boolean
}

export interface ScenarioAccount extends Pick<AgentProgress, 'calls' | 'unrecordable' | 'version' | 'scratchDir'> {
  readonly verdict: ScenarioVerdict
  readonly evidence: AgentEvidence
  readonly directory: string
}

/** The time that the directive `timeout` gives a step for its blocks and its agent together. */
export interface StepLimit {
  readonly limitMs: number
  leftMs(): number
  without<T>(work: Promise<T>): Promise<T>
}

export function startStepLimit(limitMs: number | undefined): StepLimit | undefined {
  if (limitMs === undefined) return undefined
  let endMs = performance.now() + limitMs
  return {
    limitMs,
    leftMs: () => endMs - performance.now(),
    async without(work) {
      const startMs = performance.now()
      try {
        return await work
      } finally {
        endMs += performance.now() - startMs
      }
    },
  }
}
