import type { AskedOfAgent, AskedScenario } from '../../agents/prompt.ts'
import type { BrowserStart } from '../../agents/browser/block-browser.ts'
import type { BrowserSettings } from '../../agents/browser/browser-settings.ts'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import type { LiveTree } from '../../system/process/launcher/live-trees.ts'
import type { Rewrite } from '../../blocks/expected-output/rewrite-markdown.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import type { SpecSettings } from '../../plan/options/spec-settings.ts'
import type { AgentCall } from '../../records/agent-call.ts'
import type { ScenarioToUpdate } from '../../spec/recording/update-recording.ts'
import type { LogPlace } from '../../records/folders/log-file.ts'
import type { EndedScenario } from '../../records/outcomes/outcome-files.ts'
import type { RecordingRefusal, StepRecorded } from '../../records/recorded-reason.ts'
import type { AgentUsage } from '../../records/tokens-and-cost.ts'
import type { SpecProblem } from '../../spec/spec.ts'
import type { AgentEvidence } from '../../verdict/verdict.ts'

/** What the agent must do once the blocks after its report have run. */
export type Direction =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'finish' }
  | { readonly kind: 'stop'; readonly reason: string }

export interface HostAddress {
  readonly port: number
  readonly token: string
  readonly runMark: string
}

export interface AskedStep extends AskedOfAgent {
  readonly checkLines: readonly number[]
  /** Whether the step contains only code, so that the author probably forgot `agent: none`. */
  readonly isCodeAlone?: boolean | undefined
  /** Whether a pass needs quotes, because the step has no other evidence. @default false */
  readonly needsQuotes?: boolean
  /** User in whose browser the agent acts. Default: the unnamed user. */
  readonly actsAs?: string
}

export interface ScenarioRequest extends AskedScenario {
  readonly requestId: string
  readonly specAgent: string
  readonly title: string
  readonly attempt: number
  readonly root: string
  readonly cwd: string
  /** Whether `cwd` is a copy of the root or a temporary folder made for this scenario. Absent for any other folder. */
  readonly ownFolder?: 'copy' | 'temp'
  readonly specCopy?: string
  readonly includedCopies?: readonly string[]
  /** Files that `file=` blocks write in the scenario's own working directory. Default: none. */
  readonly writtenFiles?: readonly string[]
  readonly settings: SpecSettings
  readonly env: Readonly<Record<string, string>>
  /** Front matter `writes`: product files in the scenario's folder that the agent may change. */
  readonly writes: readonly string[]
  readonly needsBrowser: boolean
  readonly steps: readonly AskedStep[]
  readonly isToBeRecorded?: boolean
}

/** Paths that a worker gets at the start of its agent. Both are absent if no agent was started. */
export interface AgentStart {
  readonly logFile?: string | undefined
  readonly evidenceDir?: string | undefined
}

export interface StepTimeout {
  readonly limitMs: number
  readonly leftMs: number
  readonly step: string
}

export interface Screenshot {
  readonly file: string
  /** Id of the step that the agent was about to report; absent for a screenshot at the end. */
  readonly step?: string
}

export interface AgentProgress {
  readonly kind: 'reported' | 'ended'
  readonly evidence: AgentEvidence
  readonly images?: readonly Screenshot[]
  /** Command lines of the agent's background processes, which are paused. Absent once the agent has ended. */
  readonly stopped?: readonly string[]
  readonly usage?: AgentUsage
  readonly calls?: readonly AgentCall[]
  readonly unrecordable?: string
  readonly version?: string
  readonly scratchDir?: string
}

/** Whether `-u` rewrites expected output. `refused`: not under CI. `once`: in this run. `always`: during a watch. */
export type UpdateMode = 'off' | 'refused' | 'once' | 'always'

export interface FileRewrites {
  readonly file: string
  readonly hash: string
  readonly rewrites: readonly Rewrite[]
}

export type UpdateRefusal = Pick<SpecProblem, 'file' | 'line' | 'message'>

export interface MadeRecording extends Pick<ScenarioRequest, 'specFile' | 'root'> {
  readonly scenarios: readonly ScenarioToUpdate[]
  readonly isWhole: boolean
  readonly refusals: readonly RecordingRefusal[]
  readonly recorded: readonly StepRecorded[]
}

export interface BrowserRequest extends Pick<ScenarioRequest, 'specFile' | 'root'> {
  readonly settings: BrowserSettings
  readonly users: readonly string[]
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
  /** Waits until the scenario may run. A closed connection counts as `leaveScenario`. */
  enterScenario(place: ScenarioPlace): Promise<ScenarioEntry>
  leaveScenario(): void
  /** Waits until one more agent may run, then starts an agent, which may try its first step at once. */
  startAgent(request: ScenarioRequest): Promise<AgentStart>
  awaitStep(requestId: string, limit?: StepTimeout): Promise<AgentProgress>
  direct(requestId: string, direction: Direction): void
  finishAgent(requestId: string, verdict: ScenarioVerdict): Promise<void>
  noteOutcome(place: LogPlace, ended: Omit<EndedScenario, 'endedAt'>): Promise<void>
  cancel(requestId: string): void
  /** Whether an agent has run. If so, programs on this machine may have been replaced. */
  hadAgents(): Promise<boolean>
  makeTempDir(): Promise<string>
  openBrowser(request: BrowserRequest): Promise<BrowserStart>
  rewriteOutput(specFile: string, files: readonly FileRewrites[]): Promise<readonly UpdateRefusal[]>
  keepRecording(made: MadeRecording): Promise<void>
  /** `trace`: what the scenario's Node.js programs read and started, one JSON object per line. */
  noteTrace(specFile: string, trace: string): Promise<void>
  processStarted(tree: LiveTree): void
  processEnded(pid: number): void
  /** Announces code that could block the worker. If the worker stops answering, the host can report the code. */
  codeStarted(code: RunningCode): Promise<void>
}

export interface ExecutorCommand {
  readonly code: string
  readonly timeoutMs: number
  readonly scratchDir: string
}

export interface ExecutorResult {
  /** `undefined` if the command did not end by itself; then `problem` says why. */
  readonly exitCode: number | undefined
  readonly problem?: string
  /** Present if no part of the command was executed. */
  readonly isUntried?: true
  /** Both streams in the order they were written, decoded by `textOfBytes`. */
  readonly output: string
  readonly durationMs: number
  readonly directory: string
}

/** The part of an executor that runs in a worker. The agent's shell is separate from the shell of the blocks. */
export interface AgentExecutor {
  runForAgent(command: ExecutorCommand): Promise<ExecutorResult>
  outputForAgent(): Promise<string>
  stopForAgent(): Promise<void>
  holdForAgent(): Promise<readonly string[]>
  releaseForAgent(): Promise<void>
  endForAgent(): Promise<void>
}
