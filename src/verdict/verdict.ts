import type { LogProblemCode, LogReading, StepReport } from '../records/result-log/result-log.ts'
import type { Assurance, Outcome } from '../records/outcome.ts'
import type { UsedExecutor } from '../records/used-executor.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import type { Check, SpecLine, StepReplay } from '../spec/spec.ts'

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

export interface Reason {
  readonly code: ReasonCode
  readonly message: string
  readonly cause?: string
  readonly line?: number
  readonly file?: string
}

export interface Verdict {
  readonly outcome: Outcome
  readonly assurance?: Assurance
  readonly reasons: readonly Reason[]
  readonly isUnproved?: true
  readonly expected?: readonly Reason[]
  readonly change?: string
  readonly unreproduced?: Reason
  readonly executor?: UsedExecutor
  readonly whyItself?: string
  readonly observed?: string
}

export interface StepEvidence extends SpecLine {
  readonly id: string
  readonly title: string
  readonly actor: 'agent' | 'code' | 'todo'
  readonly checks: readonly Check[]
  readonly blocks: readonly BlockOutcome[]
  readonly plannedBlocks?: number
  /** A filter can leave steps out. */
  readonly isAsked: boolean
  readonly replay?: StepReplay
  readonly isExpectedToFail?: boolean
  /** With `isExpectedToFail`: the change that is to mend it. Then a pass is none the worse, it comes early. */
  readonly change?: string
}

export type AgentEnding =
  | { readonly kind: 'working' }
  | { readonly kind: 'exited'; readonly exitCode: number }
  /** `isOurs`: it was done, and we ended it. Anybody else may be another scenario's agent. */
  | { readonly kind: 'killed'; readonly signal: string; readonly isOurs?: true }
  | { readonly kind: 'hard-timeout' | 'silence-timeout'; readonly limitMs: number }
  | { readonly kind: 'step-timeout'; readonly limitMs: number; readonly step: string }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'not-found' | 'over-budget' | 'lost'; readonly message: string }
  /** It was not started: what it needs was looked for and is not as it should be. */
  | { readonly kind: 'not-ready'; readonly code: BlockedCode; readonly message: string }

export interface AgentEvidence {
  readonly name: string
  readonly ending: AgentEnding
  /** In order. `executor`: it used a shell or an editor of its own, although mdtest alone was to execute. */
  readonly errors: readonly {
    readonly cause: 'executor' | 'auth' | 'budget' | 'mcp' | 'browser' | 'model' | 'question' | 'no-verdict' | 'other'
    readonly message: string
  }[]
  readonly denials: readonly { readonly what: string; readonly rule?: string }[]
  /** The log as the agent left it. Where there are reports, nobody reads it. */
  readonly reading: LogReading
  readonly runId: string
  readonly startedAtMs: number
  readonly modifiedSpecFiles: readonly string[]
  readonly tail: string
  readonly journal?: readonly ObservedCall[]
  /** Present where mdtest alone executed the product: the journal holds its calls and no others. */
  readonly executor?: UsedExecutor
  readonly whyItself?: string
  /** Whether it works in its own interface in a terminal: there its log decides. */
  readonly isInTerminal?: true
  /** Present where, with `executor`, nothing keeps it from executing the product itself but its user's trust. */
  readonly isTrusted?: true
  /** In the order they came. Where there are any, they decide in place of the agent's log. */
  readonly reports?: readonly StepReport[]
  /** Ids of steps whose report is not in the agent's own stream: it is somebody else's. Known at the end. */
  readonly unseenReports?: readonly string[]
  readonly citations?: readonly Citation[]
  readonly modifiedSources?: readonly ModifiedSource[]
}

export interface ModifiedSource {
  readonly file: string
  /** Id of the step that was under way; absent where nobody knows, and then it counts against all. */
  readonly stepId?: string
}

export interface ObservedCall {
  readonly step: string | null
  /** Not for reading the spec, writing the log or calling mdtest's own server. */
  readonly activity: boolean
  readonly denied?: boolean
}

export interface Citation {
  readonly stepId: string
  readonly check?: number
  readonly kind: 'file' | 'quote'
  readonly what: string
  readonly found: boolean
  /** Why it was not found; or, where it was, why it backs nothing all the same. */
  readonly problem?: string
  readonly isEarlier?: boolean
}

export interface EvidencePolicy {
  /** What a pass has to rest on. Default: `evidenced` where the agent's calls are known, `claimed` elsewhere. */
  readonly minAssurance?: Assurance
}

export type ReproductionProblem = SpecLine & { readonly message: string }

export interface Reproduction {
  readonly isRequired: boolean
  /** By id. Absent until the agent has ended and all was repeated. */
  readonly steps?: Readonly<Record<string, 'reproduced' | ReproductionProblem>>
}

export interface ScenarioEvidence {
  readonly steps: readonly StepEvidence[]
  readonly setup: readonly BlockOutcome[]
  readonly teardown: readonly BlockOutcome[]
  readonly continuesAfterFailure?: boolean
  /** Absent while the agent has not ended, and where none was needed. */
  readonly agent?: AgentEvidence
  readonly isRetry?: boolean
  /** A replay did all that was recorded, and something else came of it: the agent's word does not make that right. */
  readonly isDisputed?: boolean
  /** An agent of the run had been started when a block asked for a skip. */
  readonly isAfterAgents?: boolean
  readonly policy?: EvidencePolicy
  readonly reproduction?: Reproduction
}

const worstFirst: readonly Outcome[] = ['fail', 'blocked', 'pass', 'skipped']

/** The worst of several outcomes: fail, else blocked, else pass; skipped when all are, or there is none. */
export function summarizeOutcomes(outcomes: readonly Outcome[]): Outcome {
  return worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'skipped'
}
