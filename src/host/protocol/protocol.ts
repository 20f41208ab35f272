import type { SavedLogins } from '../../spec/front-matter/front-matter.ts'
import type { AskedOfAgent, AskedScenario } from '../../agents/prompt.ts'
import type { BrowserStart } from '../../agents/browser/block-browser.ts'
import type { BrowserSettings } from '../../agents/browser/browser-settings.ts'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import type { LiveTree } from '../../system/process/launcher/live-trees.ts'
import type { Rewrite } from '../../blocks/expected-output/rewrite-source.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import type { SpecSettings } from '../../plan/options/spec-settings.ts'
import type { AgentCall } from '../../records/agent-call.ts'
import type { ScenarioToUpdate } from '../../spec/recording/update-recording.ts'
import type { EndedScenario, OutcomePlace } from '../../records/outcomes/outcome-files.ts'
import type { RecordingRefusal, StepRecorded } from '../../records/recorded-reason.ts'
import type { AgentUsage } from '../../records/agent-usage.ts'
import type { AgentEvidence } from '../../verdict/verdict.ts'

/** What the agent is told once the blocks that stand behind a report ran. */
export type Direction =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'finish' }
  | { readonly kind: 'stop'; readonly reason: string }

/** Where workers reach the host: loopback only, and nobody gets in without the token. */
export interface HostAddress {
  readonly port: number
  readonly token: string
  readonly runMark: string
}

export interface AskedStep extends AskedOfAgent {
  readonly checkLines: readonly number[]
  /** Whether a pass has to be backed by quotes: nothing else proves it. Default: it has not. */
  readonly needsQuotes?: boolean
  /** Whose browser it acts in. Default: that of the user without a name. */
  readonly actsAs?: string
}

/** What the worker has seen to where an agent is asked for. */
type SettledByWorker =
  | 'policy'
  | 'allowSideEffects'
  | 'agentPrograms'
  | 'repeats'
  | 'replay'
  | 'recordings'
  | 'reproduce'
  | 'afterFailure'

export interface ScenarioRequest extends AskedScenario {
  readonly requestId: string
  readonly specAgent: string
  readonly title: string
  readonly attempt: number
  readonly root: string
  readonly cwd: string
  /** `cwd` was made for this scenario: a copy of the root, or a temporary folder. Absent for any other place. */
  readonly ownFolder?: 'copy' | 'temp'
  readonly specCopy?: string
  readonly includedCopies?: readonly string[]
  /** What `file=` blocks of the scenario write, in a working directory of its own. Default: nothing. */
  readonly writtenFiles?: readonly string[]
  readonly settings: Omit<SpecSettings, SettledByWorker>
  readonly env: Readonly<Record<string, string>>
  /** Front matter `writes`: files of the product that the agent may change, in the folder of the scenario. */
  readonly writes: readonly string[]
  readonly needsBrowser: boolean
  /** What the front matter names of it. */
  readonly savedLogins?: SavedLogins | undefined
  readonly steps: readonly AskedStep[]
  readonly isToBeRecorded?: boolean
}

/** What a worker learns at once of an agent it asked for; nothing where no agent was started. */
export interface AgentStart {
  readonly logFile?: string
  readonly evidenceDir?: string
}

export interface StepTimeout {
  readonly limitMs: number
  readonly leftMs: number
  readonly step: string
}

export interface Screenshot {
  readonly file: string
  /** Id of the step that was about to be reported; absent at the end. */
  readonly step?: string
}

export interface AgentProgress {
  readonly kind: 'reported' | 'ended'
  readonly evidence: AgentEvidence
  readonly images?: readonly Screenshot[]
  /** Command lines of what the agent left in the background and is stopped until it may go on; not at the end. */
  readonly stopped?: readonly string[]
  readonly usage?: AgentUsage
  readonly calls?: readonly AgentCall[]
  readonly unrecordable?: string
  readonly version?: string
  readonly scratchDir?: string
}

/** Whether expected output that differs is rewritten: not, not under CI, in this run, or in each run of a watch. */
export type UpdateMode = 'off' | 'refused' | 'once' | 'always'

export interface FileRewrites {
  readonly file: string
  readonly hash: string
  readonly rewrites: readonly Rewrite[]
}

export interface UpdateRefusal {
  readonly file: string
  readonly line: number
  readonly message: string
}

export interface MadeRecording {
  readonly specFile: string
  readonly root: string
  readonly scenarios: readonly ScenarioToUpdate[]
  readonly isWhole: boolean
  readonly refusals: readonly RecordingRefusal[]
  readonly recorded: readonly StepRecorded[]
}

export interface BrowserRequest {
  readonly specFile: string
  readonly root: string
  readonly settings: BrowserSettings
  readonly users: readonly string[]
  readonly savedLogins?: SavedLogins | undefined
}

export interface ScenarioPlace {
  readonly isAlone: boolean
  readonly hasAgent: boolean
  readonly root: string
  readonly spec: readonly string[]
}

export interface ScenarioEntry {
  readonly updateMode: UpdateMode
  readonly launcher: LauncherAddress
}

export interface RunningCode {
  readonly file: string
  readonly line: number
  readonly limitMs: number
  readonly threadId: number
  readonly pid: number
}

export interface WorkerFunctions extends AgentExecutor {
  ping(): void
  cancelAll(): void
}

export interface HostFunctions {
  /** Waits until the scenario may run: beside others, or alone. It is over when the connection is closed. */
  enterScenario(place: ScenarioPlace): Promise<ScenarioEntry>
  leaveScenario(): void
  /** Waits until one more agent may be alive, then starts it on a scenario; its first step may be tried. */
  startAgent(request: ScenarioRequest): Promise<AgentStart>
  awaitStep(requestId: string, limit?: StepTimeout): Promise<AgentProgress>
  direct(requestId: string, direction: Direction): void
  finishAgent(requestId: string, verdict: ScenarioVerdict): Promise<void>
  noteOutcome(place: OutcomePlace, ended: Omit<EndedScenario, 'endedAt'>): Promise<void>
  cancel(requestId: string): void
  /** Whether an agent of this run was started. From then on programs may be others. */
  hadAgents(): Promise<boolean>
  makeTempDir(): Promise<string>
  openBrowser(request: BrowserRequest): Promise<BrowserStart>
  rewriteOutput(specFile: string, files: readonly FileRewrites[]): Promise<readonly UpdateRefusal[]>
  keepRecording(made: MadeRecording): Promise<void>
  /** What programs of Node did in a scenario. */
  noteTrace(specFile: string, trace: string): Promise<void>
  processStarted(tree: LiveTree): void
  processEnded(pid: number): void
  /** Code begins that could keep the worker from everything else. It has ended when the connection is closed. */
  codeStarted(code: RunningCode): Promise<void>
}

export interface ExecutorCommand {
  readonly code: string
  readonly timeoutMs: number
  readonly scratchDir: string
}

export interface ExecutorResult {
  /** `undefined` where it did not end by itself; `problem` says why then. */
  readonly exitCode: number | undefined
  readonly problem?: string
  /** Whether nothing of it was executed. Default: it was begun. */
  readonly isUntried?: true
  /** Both streams, in the order they were written, as of `textOfBytes`. */
  readonly output: string
  readonly durationMs: number
  readonly directory: string
}

/** What a worker does for an agent whose commands mdtest executes, in a shell beside that of the blocks. */
export interface AgentExecutor {
  runForAgent(command: ExecutorCommand): Promise<ExecutorResult>
  outputForAgent(): Promise<string>
  stopForAgent(): Promise<void>
  holdForAgent(): Promise<readonly string[]>
  releaseForAgent(): Promise<void>
  endForAgent(): Promise<void>
}
