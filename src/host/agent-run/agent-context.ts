import type { AgentChoice } from '../../agents/resolve-agent.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { ReportServer } from '../reports/report-server.ts'
import type { RunGuard } from './watch-scenario.ts'
import type { Spending } from './spending.ts'
import type { Budget } from './budget.ts'
import type { AgentTerminal } from './agent-terminal.ts'
import type { Browsers } from './browsers.ts'
import type { Progress } from '../protocol/progress.ts'

/** What agents are started with. */
export interface AgentContext {
  readonly agent: AgentChoice | 'none'
  readonly env: NodeJS.ProcessEnv
  readonly processes: LiveTrees
  readonly runMark: string
  /** Start of the run: its logs are never pruned. */
  readonly startedAt: Date
  readonly now: () => Date
  /** The server that all scenarios of the run report to, started when it is first asked for. */
  readonly reportServer: () => Promise<ReportServer>
  readonly guard: RunGuard
  /** What all agents of the run use. */
  readonly spending: Spending
  /** What they may use, taken together. */
  readonly runBudget: Budget
  readonly signal: AbortSignal
  /**
   * Time for closing words, in milliseconds, before an agent that is done is ended.
   * @default 60_000
   */
  readonly closingMs?: number
  /** Where the agent is shown in its own interface, if it has one. */
  readonly terminal?: AgentTerminal | undefined
  /** What browser specs of the run share. */
  readonly browsers: Browsers
  /** Told what the agent is at. */
  readonly progress?: Progress | undefined
}
