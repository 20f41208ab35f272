import type { AgentEvent, AgentInterface, CliAgent } from '../../agents/agent.ts'
import type { Browsers } from '../../agents/browser/browsers.ts'
import type { AgentChoice } from '../../agents/resolve-agent.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import type { UsedExecutor } from '../../records/used-executor.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import type { Command } from '../../system/process/command.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { RunOptions } from '../../system/process/run-command.ts'
import { removeTemporary } from '../../system/files/remove-files.ts'
import type { Redactor } from '../../system/redaction/open-redactor.ts'
import type { Terminal } from '../../system/terminal/terminal.ts'
import type { AgentEnding, BlockedCode } from '../../verdict/verdict.ts'
import type { Executor } from '../executor/executor.ts'
import type { FileHashes } from '../guard/file-state.ts'
import type { SourceWatch } from '../guard/source-watch.ts'
import type { Progress } from '../protocol/agents-at-work.ts'
import type {
  AgentExecutor,
  AgentProgress,
  AgentStart,
  Direction,
  ScenarioRequest,
  StepTimeout,
} from '../protocol/protocol.ts'
import type { ReportServer } from '../agent-reports/report-server.ts'
import type { StepReports } from '../agent-reports/step-reports.ts'
import type { AgentLimits } from './limit-timers.ts'
import type { Budget, Budgets, Spending } from './budget.ts'
import type { RunGuard } from './guard-agent-run.ts'

export interface AgentContext {
  readonly agent: AgentChoice | 'none'
  readonly env: NodeJS.ProcessEnv
  readonly processes: LiveTrees
  readonly runMark: string
  /** Start of the run. Logs written since then are never pruned. */
  readonly startedAt: Date
  readonly now: () => Date
  readonly reportServer: () => Promise<ReportServer>
  readonly guard: RunGuard
  readonly spending: Spending
  readonly runBudget: Budget
  readonly signal: AbortSignal
  readonly executor: AgentExecutor
  /** How long an agent may take to finish after it has reported all steps. Default: a minute. */
  readonly closingMs?: number
  readonly terminal?: AgentTerminal | undefined
  readonly browsers: Browsers
  readonly progress?: Progress | undefined
}

export interface AgentTerminal {
  readonly terminal: Terminal
  readonly specs: readonly string[]
  onInterrupt(): void
}

/** Why an agent cannot start, such as a missing program or a failed login. */
export interface NotReady {
  readonly code: BlockedCode
  readonly message: string
}

export class NotStarted extends Error {
  readonly agent: string
  readonly ending: AgentEnding
  readonly login: LoginRecord | undefined

  constructor(agent: string, why: NotReady | 'canceled', login?: LoginRecord) {
    super(why === 'canceled' ? `The agent ${agent} is not started.` : why.message)
    this.agent = agent
    this.ending = why === 'canceled' ? { kind: why } : { kind: 'not-ready', ...why }
    this.login = login
  }
}

/** Absolute paths of files from a login that failed. The scenario shows these files as its own. */
export interface LoginRecord extends AgentStart {
  /** Name of a file in `evidenceDir`; absent if no picture could be taken. */
  readonly screenshot?: string | undefined
}

export class LoginFailed extends MdtestError {
  readonly record: LoginRecord | undefined

  constructor(message: string, { hint, record }: { readonly hint: string; readonly record?: LoginRecord }) {
    super('LOGIN_FAILED', message, { hint })
    this.record = record
  }
}

export interface AgentTask {
  readonly agent: CliAgent
  readonly request: ScenarioRequest
  readonly context: AgentContext
  readonly runId: string
  readonly startedAtMs: number
  readonly budgets: Budgets
  readonly logs: LogPaths
  readonly specHashes: FileHashes
  readonly sources: readonly SourceWatch[]
  readonly redactor: Redactor
  readonly stepReports: StepReports | undefined
  readonly executor: Executor | undefined
  readonly usedExecutor: UsedExecutor | undefined
  /** Why the agent itself runs commands, although `executor: auto` prefers mdtest. */
  readonly whyItself?: string
  /** Why the agent's work cannot be recorded although that was requested, and what to do about it. */
  readonly unrecordable?: string
  readonly screen: Screen | undefined
  readonly launcher: LauncherAddress
  readonly command: Command
  readonly releases: Releases
}

export interface Screen extends AgentTerminal {
  readonly interface: AgentInterface
  readonly notesFile: string
}

export interface AgentRun extends AgentStart {
  readonly ended: Promise<unknown>
  /** Waits until the agent reports or ends. Stops an agent that exceeds `limit`. */
  awaitStep(limit?: StepTimeout): Promise<AgentProgress>
  direct(direction: Direction): void
  finish(verdict: ScenarioVerdict): Promise<void>
}

export interface ProgramTask {
  readonly task: AgentTask
  readonly options: Omit<RunOptions, 'onLine'>
  readonly limits: AgentLimits
  onEvent(event: AgentEvent): void
}

/** Cleanup functions for one agent's resources. Add each function as soon as its resource exists. */
export class Releases {
  readonly #releases: (() => void)[] = []

  add(release: () => void): void {
    this.#releases.push(release)
  }

  makeFolder(processes: LiveTrees, kind: 'makeTempDir' | 'makeBrowserDir' = 'makeTempDir'): string {
    const folder = processes[kind]()
    this.add(() => removeTemporary(folder))
    return folder
  }

  /** Runs all cleanup functions in reverse order, even if one fails. @throws the last error */
  releaseAll(): void {
    const release = this.#releases.pop()
    if (release === undefined) return
    try {
      release()
    } finally {
      this.releaseAll()
    }
  }
}
