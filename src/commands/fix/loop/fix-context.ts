import type { CliAgent } from '../../../agents/agent.ts'
import type { McpServers } from '../../../spec/front-matter/front-matter.ts'
import type { ProgramContext } from '../../../system/process/run-command.ts'
import type { Checkpoints } from '../../attempt/checkpoints/checkpoints.ts'
import type { Progress } from '../session/progress.ts'
import type { SessionState } from '../session/session-state.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { SessionKeeper } from './session-keeper.ts'

export interface FixTools extends ProgramContext {
  /** What the project allows all roles, besides what a session was asked for. */
  readonly allow: readonly string[]
  /** For all roles. They may hold secrets, so no session keeps them. */
  readonly mcpServers: McpServers
  readonly now: () => Date
  readonly pid: number
  readonly signal: AbortSignal
  readonly program: readonly string[]
  /** How long to wait for a provider that asks to, by how often it has asked in a row, from 1. */
  readonly waitMs: (times: number) => number
  readonly say: (line: string) => void
}

export interface Loop extends FixTools {
  readonly store: SessionStore
  readonly checkpoints: Checkpoints
  readonly keeper: SessionKeeper
  /** Found when it is needed first. @throws MdtestError where there is none */
  readonly agent: () => CliAgent
}

/** What one act works with: the loop, and the session as it was when the act began. */
export interface ActContext extends Loop {
  readonly state: SessionState
  readonly progress: Progress
}
