import type { LogProblemCode, LogReading, StepReport } from '../records/result-log/result-log.ts'
import type { Assurance, Outcome } from '../records/outcome.ts'
import type { RecordedReason } from '../records/recorded-reason.ts'
import type { UsedExecutor } from '../records/used-executor.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import type { SpecLine, Step } from '../spec/spec.ts'

export type FailCode =
  | LogProblemCode
  | 'LOG_STALE'
  | 'LOG_WRONG_RUN'
  | 'STEP_FAILED'
  | 'CHECK_FAILED'
  | 'STEP_UNREPORTED'
  | 'CHECK_UNREPORTED'
  | 'STEP_UNKNOWN'
  | 'STATUS_CONTRADICTS_STEPS'
  | 'VERIFY_FAILED'
  | 'RUN_FAILED'
  | 'SETUP_FAILED'
  | 'TEARDOWN_FAILED'
  | 'BLOCK_TIMEOUT'
  | 'SPEC_MODIFIED'
  | 'SOURCE_MODIFIED'
  | 'NO_ACTIVITY'
  | 'EVIDENCE_UNKNOWN'
  | 'ASSURANCE_TOO_LOW'
  | 'PASSED_UNEXPECTEDLY'
  | 'REPLAY_MISSING'
  | 'REPLAY_STALE'
  | 'REPLAY_DIFFERS'
  | 'NOT_REPRODUCED'

export type BlockedCode =
  | 'AGENT_NOT_FOUND'
  | 'AGENT_BLOCKED'
  | 'AGENT_TIMEOUT'
  | 'AGENT_SILENT'
  | 'AGENT_CRASHED'
  | 'AGENT_AUTH'
  | 'AGENT_BUDGET'
  | 'AGENT_DENIED'
  | 'MCP_UNAVAILABLE'
  | 'BROWSER_UNAVAILABLE'
  | 'MODEL_UNAVAILABLE'
  | 'LOGIN_FAILED'
  | 'EXECUTOR_UNAVAILABLE'
  | 'SOURCE_MODIFIED'

export type SkippedCode =
  | 'REQUIRES_UNMET'
  | 'SIDE_EFFECTS'
  | 'AGENT_ON_DEMAND'
  | 'SKIPPED_BY_BLOCK'
  | 'PREDECESSOR_FAILED'

export type ReasonCode = FailCode | BlockedCode | SkippedCode | 'UPDATE_REFUSED'

export type RuleName = FailCode | BlockedCode

export interface Reason extends RecordedReason {
  readonly code: ReasonCode
}

export interface Verdict {
  readonly outcome: Outcome
  readonly assurance?: Assurance
  readonly reasons: readonly Reason[]
  readonly isUnproved?: true
  /** Reasons of a failure that was expected, so that the step counts as a pass. */
  readonly expected?: readonly Reason[]
  /** Name of the planned OpenSpec change. A pass without `expected` shows that the step already works. */
  readonly change?: string
  /** Why mdtest could not repeat a passed step without the agent. */
  readonly unreproduced?: Reason
  /** How mdtest confined the agent. Absent if the agent executed commands itself. */
  readonly executor?: UsedExecutor
  /** Why the agent, and not mdtest, executed the commands, and how to change that. */
  readonly whyItself?: string
  readonly observed?: string
}

export interface StepEvidence extends SpecLine, Pick<Step, 'id' | 'title' | 'actor' | 'checks' | 'replay'> {
  readonly blocks: readonly BlockOutcome[]
  readonly plannedBlocks?: number
  readonly isExpectedToFail?: boolean
  /** For a step with `fails`: the planned change after which the step will pass. The step may pass already. */
  readonly change?: string
}

export type AgentEnding =
  | { readonly kind: 'working' }
  | { readonly kind: 'exited'; readonly exitCode: number }
  /** `isOurs`: mdtest ended the agent after its work. If absent, any other process may have killed the agent. */
  | { readonly kind: 'killed'; readonly signal: string; readonly isOurs?: true }
  | { readonly kind: 'hard-timeout' | 'silence-timeout'; readonly limitMs: number }
  | { readonly kind: 'step-timeout'; readonly limitMs: number; readonly step: string }
  | { readonly kind: 'canceled' }
  /** `not-ready`: the agent was not started, because something that it needs is missing or wrong. */
  | { readonly kind: 'not-ready' | 'stopped'; readonly code: BlockedCode; readonly message: string }

export interface AgentEvidence {
  readonly name: string
  readonly ending: AgentEnding
  /** In order. `executor`: the agent used its own shell or editor instead of mdtest's tools. */
  readonly errors: readonly {
    readonly cause: 'executor' | 'auth' | 'budget' | 'mcp' | 'browser' | 'model' | 'question' | 'no-verdict' | 'other'
    readonly message: string
  }[]
  readonly denials: readonly { readonly what: string; readonly rule?: string }[]
  readonly reading: LogReading
  readonly runId: string
  readonly startedAtMs: number
  readonly modifiedSpecFiles: readonly string[]
  readonly tail: string
  readonly journal?: readonly ObservedCall[]
  /** Present if mdtest ran all commands for the agent. The journal then has these commands only. */
  readonly executor?: UsedExecutor
  readonly whyItself?: string
  /** Present if the agent worked in its own interface in a terminal. By default, a pass then needs only `claimed`. */
  readonly isInTerminal?: true
  /** Present if nothing could stop the agent from running the product itself. The user trusts the agent not to. */
  readonly isTrusted?: true
  /** In order of arrival. If there is any report, the agent's log does not count. */
  readonly reports?: readonly StepReport[]
  /** Ids of steps that somebody else reported: the agent's own output lacks these reports. Set at the agent's end. */
  readonly unseenReports?: readonly string[]
  readonly citations?: readonly Citation[]
  readonly modifiedSources?: readonly ModifiedSource[]
}

export interface ModifiedSource {
  readonly file: string
  /** Id of the step in which the file changed. Without an id, the change counts for all steps. */
  readonly stepId?: string
}

export interface ObservedCall {
  readonly step: string | null
  /** Whether the call used the product. False for reading the spec, writing the log or calling mdtest's own server. */
  readonly activity: boolean
  readonly denied?: boolean | undefined
}

export interface Citation {
  readonly stepId: string
  readonly check?: number
  readonly kind: 'file' | 'quote'
  readonly what: string
  readonly found: boolean
  /** Why the citation was not found, or why it is no evidence. */
  readonly problem?: string
  readonly isEarlier?: boolean
}

export interface EvidencePolicy {
  /** The lowest assurance that a pass needs. Default: `evidenced`, or `claimed` if the agent's calls are unknown. */
  readonly minAssurance?: Assurance
}

export type ReproductionProblem = SpecLine & { readonly message: string }

export interface Reproduction {
  readonly isRequired: boolean
  /** Results by step id. Absent until all steps are repeated, after the agent's end. */
  readonly steps?: Readonly<Record<string, 'reproduced' | ReproductionProblem>>
}

export interface ScenarioEvidence {
  readonly steps: readonly StepEvidence[]
  readonly setup: readonly BlockOutcome[]
  readonly teardown: readonly BlockOutcome[]
  readonly continuesAfterFailure?: boolean
  /** Absent before the agent's first report or end, and in scenarios without an agent. */
  readonly agent?: AgentEvidence
  readonly isRetry?: boolean
  /** A replay of the recording had another result. The agent's claim alone cannot outweigh the replay. */
  readonly isDisputed?: boolean
  /** Whether an agent of the run had already started when a block skipped. */
  readonly isAfterAgents?: boolean
  readonly policy?: EvidencePolicy
  readonly reproduction?: Reproduction
}
