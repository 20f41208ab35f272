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
  /** Whether a step fails if its pass cannot be repeated. If `false`, the step only gets a lower assurance. */
  readonly isRequired: boolean
  /** Repeats the steps that passed. Never rejects: an error becomes a problem of the first step. */
  repeat(account: ScenarioAccount, signal: AbortSignal): Promise<NonNullable<Reproduction['steps']>>
}

export interface ScenarioInput {
  readonly spec: Spec
  readonly scenario: Scenario
  /** SHA-256 in hexadecimal of the spec and of each include when they were read. The keys are absolute paths. */
  readonly hashes: Readonly<Record<string, string>>
  readonly settings: SpecSettings
  readonly afterFailure?: AfterFailure
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly host: HostClient
  readonly executeModule?: ModuleRunner
  /** Whether code of blocks has no time limit, because it may stop at a breakpoint. */
  readonly isDebugged?: boolean
  readonly handedOver?: RecordedReason | undefined
  readonly attempt: number
  /** Ordinals of the selected steps. Other steps before the last one of these run, too, but have no test. */
  readonly selected: ReadonlySet<number>
  /** Adds to the verdict how often each step has passed. Present if the scenario runs several times. */
  readonly rate?: (verdict: ScenarioVerdict) => ScenarioVerdict
  readonly onCommand?: BlockContext['onCommand']
  readonly onBlocks?: ((directory: string) => Promise<void>) | undefined
  readonly reproduce?: Repeater
  /** Whether the scenario already ran, in this or another attempt. In a repetition, a block that skips fails. */
  readonly isRepetition?: boolean
}

export interface ScenarioAccount extends Pick<AgentProgress, 'calls' | 'unrecordable' | 'version' | 'scratchDir'> {
  readonly verdict: ScenarioVerdict
  readonly evidence: AgentEvidence
  readonly directory: string
}

/** Time limit of a step, for its blocks and the agent together (directive `timeout`). `without` stops the clock. */
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
