import type { AgentInterface, AgentEvent } from '../../agents/agent.ts'
import type { Command } from '../../system/process/command.ts'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import type { AgentTerminal } from './agent-terminal.ts'
import type { Budgets, Budget, Spending } from './budget.ts'
import type { EvidenceOptions } from './evidence-collector.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import type { AgentExecutor, Direction, AgentProgress, StepTimeout } from '../protocol/protocol.ts'
import type { Executor } from '../executor/executor.ts'
import type { UsedExecutor } from '../../records/used-executor.ts'
import type { AgentChoice } from '../../agents/resolve-agent.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { ReportServer } from '../reports/report-server.ts'
import type { RunGuard } from './watch-scenario.ts'
import type { Browsers } from '../../agents/browser/browsers.ts'
import type { Progress } from '../protocol/progress.ts'
import type { RunningCommand, RunOptions } from '../../system/process/run-command.ts'
import type { AgentLimits } from './agent-limits.ts'

/** An agent that is ready to be started, with all that it is started with. */
export interface AgentTask extends EvidenceOptions {
  readonly launcher: LauncherAddress
  readonly command: Command
  readonly budgets: Budgets
  readonly executor: Executor | undefined
  readonly usedExecutor: UsedExecutor | undefined
  /** Why nothing that the agent does can be recorded, although that was asked for: reason and way out. */
  readonly unrecordable: string | undefined
  readonly context: AgentContext
  /** Absent for an agent that works without a terminal. */
  readonly screen: Screen | undefined
  /** Called once: the agent and all that it started are gone. */
  onEnd(): void
}

/** The terminal for an agent that has an interface. */
export interface Screen extends AgentTerminal {
  readonly interface: AgentInterface
  /** Absolute path of an empty folder for what its hooks say. */
  readonly notesFolder: string
}

/** One agent at work on one scenario. */
export interface AgentRun {
  /** Absolute path of the result log; absent where no agent was started. */
  readonly logFile?: string
  readonly evidenceDir?: string
  /** Fulfilled or rejected once the agent and all it started are gone. */
  readonly ended: Promise<unknown>
  /** Waits for the next report or the end. Gives each report once. Ends an agent that reports nothing within the limit. */
  awaitStep(limit?: StepTimeout): Promise<AgentProgress>
  direct(direction: Direction): void
  finish(verdict: ScenarioVerdict): Promise<void>
}

/** What agents are started with. */
export interface AgentContext {
  readonly agent: AgentChoice | 'none'
  readonly env: NodeJS.ProcessEnv
  readonly processes: LiveTrees
  readonly runMark: string
  /** Start of the run: its logs are never pruned. */
  readonly startedAt: Date
  readonly now: () => Date
  /** The server that takes the reports of all scenarios of the run. The first call starts it. */
  readonly reportServer: () => Promise<ReportServer>
  readonly guard: RunGuard
  readonly spending: Spending
  readonly runBudget: Budget
  readonly signal: AbortSignal
  /** Executes commands of the agent in the worker that asked for it. */
  readonly executor: AgentExecutor
  /**
   * Time for closing words, in milliseconds, before an agent that is done is ended.
   * @default 60_000
   */
  readonly closingMs?: number
  /** Where the agent is shown in its own interface, if it has one. */
  readonly terminal?: AgentTerminal | undefined
  readonly browsers: Browsers
  readonly progress?: Progress | undefined
}

/** An agent's program at work: without a terminal, or in its own interface. */
export interface ProgramRun {
  readonly running: RunningCommand
  /** Whether a whole result log is there, from an agent whose interface tells nothing. */
  readonly isLogComplete: boolean
  /** mdtest has answered its last report. */
  directed(): void
}

/** What an agent's program is started with. */
export interface ProgramTask {
  readonly task: AgentTask
  readonly options: ProgramOptions
  readonly limits: AgentLimits
  onEvent(event: AgentEvent): void
  /** Called with each line of its event stream, before its events. */
  onLine(line: string): void
}

type ProgramOptions = Omit<RunOptions, LogOption | 'onLine'> & {
  readonly [name in LogOption]-?: NonNullable<RunOptions[name]>
}
type LogOption = 'rawLogFile' | 'rawLogGround' | 'redactor'
