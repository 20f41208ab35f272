import type { AgentCall } from '../records/agent-call.ts'
import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import type { AgentEvidence } from '../verdict/verdict.ts'

/** What an agent's run on a scenario left, once all is over. */
export interface ScenarioAccount {
  readonly verdict: ScenarioVerdict
  readonly evidence: AgentEvidence
  /** Absolute path of where the agent worked. */
  readonly directory: string
  /** What the agent did; absent where that cannot be told. */
  readonly calls?: readonly AgentCall[]
  /** Why that cannot be told: reason and way out. */
  readonly unrecordable?: string
  /** Version of its program, where that tells it. */
  readonly version?: string
  /** Absolute path of the folder that it had for files of its own, where mdtest acted for it. */
  readonly scratchDir?: string
}
