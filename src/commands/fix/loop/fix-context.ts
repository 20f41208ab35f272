import type { CliAgent } from '../../../agents/agent.ts'
import type { CallUsage } from '../../../agents/agent-transcript.ts'
import type { Checkpoints } from '../../attempt/checkpoints/checkpoints.ts'
import type { McpServers } from '../../../spec/front-matter/front-matter.ts'
import type { Progress } from '../session/progress.ts'
import type { OnPoint, SessionStore } from '../session/session-store.ts'
import type { SessionState } from '../session/session-state.ts'
import type { ProgramContext } from '../../../system/process/run-command.ts'

/** What a loop works with; the same for all sessions of a process. */
export interface FixTools extends ProgramContext {
  /** What the project allows all roles, besides what a session was asked for. */
  readonly allow: readonly string[]
  /** MCP servers for all roles. They may hold secrets, so no session keeps them. */
  readonly mcpServers: McpServers
  readonly now: () => Date
  readonly pid: number
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** How mdtest is started, for scripts. */
  readonly program: readonly string[]
  /** How long to wait for a provider that asks to, in milliseconds, by how often it has asked in a row, from 1. */
  readonly waitMs: (times: number) => number
  /** Told what is being done, a line for people. */
  readonly say: (line: string) => void
  readonly onPoint: OnPoint
}

/** What one act works with. */
export interface ActContext extends FixTools {
  readonly store: SessionStore
  readonly checkpoints: Checkpoints
  /** As it was when the act began. */
  readonly state: SessionState
  readonly progress: Progress
  /** Found when it is needed first. */
  readonly agent: () => CliAgent
  /** The same as it is now: time and cost go on within an act. */
  readonly current: () => SessionState
  /** To be called with what a call of an agent cost. What is known of the cost of this call alone. */
  readonly spend: (used: Spent) => number | null
  /** The session in which the implementer goes on. */
  readonly keepAgentSession: (id: string | null) => void
  readonly addSummary: (text: string, reason: 'stuck' | 'context') => void
}

/** What a call of an agent used. */
export interface Spent extends Pick<CallUsage, 'sessionId' | 'sessionCostUsd' | 'isCostTold'> {
  /** Name of its folder. */
  readonly call: string
}
