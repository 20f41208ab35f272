import type { SpecPart } from '../../spec/spec.ts'
import type { AskedOfAgent, NamedStep } from '../../agents/prompt.ts'
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
  /** The next step that was asked for may be tried. */
  | { readonly kind: 'go-on' }
  /** All steps are in. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'stop'; readonly reason: string }

/** Where workers reach the host: loopback only, and nobody gets in without the token. */
export interface HostAddress {
  readonly port: number
  readonly token: string
  /** Mark that every child process of the run carries in its environment. */
  readonly runMark: string
}

/** A step that the agent is asked for. */
export interface AskedStep extends AskedOfAgent {
  readonly checkLines: readonly number[]
  /** Whether a pass has to be backed by quotes: nothing else proves it. Default: it has not. */
  readonly needsQuotes?: boolean
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

export interface ScenarioRequest {
  readonly requestId: string
  readonly specFile: string
  readonly includedFiles: readonly string[]
  readonly specAgent: string
  readonly scenarioTitle?: string
  /** What the result log calls the scenario. */
  readonly title: string
  readonly attempt: number
  readonly root: string
  readonly cwd: string
  /** `cwd` was made for this scenario: a copy of the root, or a temporary folder. Absent for any other place. */
  readonly ownFolder?: 'copy' | 'temp'
  /** Where the spec is in a copy of the root. */
  readonly specCopy?: string
  /** Where the included files are in that copy. */
  readonly includedCopies?: readonly string[]
  /** What `file=` blocks of the scenario write, in a working directory of its own. Default: nothing. */
  readonly writtenFiles?: readonly string[]
  readonly settings: Omit<SpecSettings, SettledByWorker>
  /** Front matter `env`, for the agent as well as for the blocks. */
  readonly env: Readonly<Record<string, string>>
  /** Front matter `writes`: files of the product that the agent may change, in the folder of the scenario. */
  readonly writes: readonly string[]
  readonly needsBrowser: boolean
  readonly steps: readonly AskedStep[]
  /** What its agent needs of the spec and of other files, context first; absent where it needs all of them. */
  readonly parts?: readonly SpecPart[] | undefined
  readonly otherSteps: readonly NamedStep[]
  /** Whether what the agent does is to be told at its end, for a recording. Default: it is not. */
  readonly isToBeRecorded?: boolean
  readonly hasSetupProse: boolean
  readonly hasTeardownProse: boolean
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

/** A picture of the application that the agent's program, not its model, has made. */
export interface Screenshot {
  /** Name in the folder for evidence. */
  readonly file: string
  /** Id of the step that was about to be reported; absent at the end. */
  readonly step?: string
}

/** The agent reported a step and waits for a direction, or it ended. With what is known up to then. */
export interface AgentProgress {
  readonly kind: 'reported' | 'ended'
  readonly evidence: AgentEvidence
  readonly images?: readonly Screenshot[]
  /** Command lines of what the agent left in the background and is stopped until it may go on; not at the end. */
  readonly stopped?: readonly string[]
  /** What the agent used in all; at the end only, and absent where none was started. */
  readonly usage?: AgentUsage
  /** What the agent did, where that was asked for and can be told; at the end only, like all that follows. */
  readonly calls?: readonly AgentCall[]
  /** Why these calls are not there, where they were asked for: reason and way out. */
  readonly unrecordable?: string
  readonly version?: string
  /** The folder that it had for files of its own, where mdtest acted for it. */
  readonly scratchDir?: string
}

/** Whether expected output that differs is rewritten: not, not under CI, in this run, or in each run of a watch. */
export type UpdateMode = 'off' | 'refused' | 'once' | 'always'

export interface FileRewrites {
  readonly file: string
  /** SHA-256 of the file as it was read. */
  readonly hash: string
  readonly rewrites: readonly Rewrite[]
}

/** Why nothing was rewritten, with a way out, and the line it is about. */
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
}

export interface ScenarioPlace {
  /** Whether no other may be inside. */
  readonly isAlone: boolean
  readonly hasAgent: boolean
  readonly root: string
  readonly spec: readonly string[]
}

export interface ScenarioEntry {
  readonly updateMode: UpdateMode
  readonly launcher: LauncherAddress
}

/** Code of a `ts` or `js` block that a worker runs in its own thread. */
export interface RunningCode {
  readonly file: string
  readonly line: number
  readonly limitMs: number
  readonly threadId: number
  readonly pid: number
}

export interface WorkerFunctions extends AgentExecutor {
  ping(): void
  /** The run was interrupted: everything under way ends now. */
  cancelAll(): void
}

export interface HostFunctions {
  /** Waits until the scenario may run: beside others, or alone. It is over when the connection is closed. */
  enterScenario(place: ScenarioPlace): Promise<ScenarioEntry>
  /** The scenario is over but for its verdict: others need not wait for it. */
  leaveScenario(): void
  /** Waits until one more agent may be alive, then starts it on a scenario; its first step may be tried. */
  startAgent(request: ScenarioRequest): Promise<AgentStart>
  /** Waits for the next report or the end. An agent that reports nothing within the limit is ended. */
  awaitStep(requestId: string, limit?: StepTimeout): Promise<AgentProgress>
  direct(requestId: string, direction: Direction): void
  /** After the agent's end: the verdict, to be written down. */
  finishAgent(requestId: string, verdict: ScenarioVerdict): Promise<void>
  /** What became of a scenario that proves requirements, to be written down. */
  noteOutcome(place: OutcomePlace, ended: Omit<EndedScenario, 'endedAt'>): Promise<void>
  cancel(requestId: string): void
  /** When the first agent of this run was started; nothing where none was. From then on programs may be others. */
  agentsSince(): Promise<number | undefined>
  makeTempDir(): Promise<string>
  /** Finds, or installs, what drives a browser for browser blocks, and makes a folder for it. */
  openBrowser(request: BrowserRequest): Promise<BrowserStart>
  /** After all scenarios of a spec: rewrites expected output in all files or in none. */
  rewriteOutput(specFile: string, files: readonly FileRewrites[]): Promise<readonly UpdateRefusal[]>
  /** Writes what was recorded of a spec beside it, and notes what was not. */
  keepRecording(made: MadeRecording): Promise<void>
  /** A process tree that the worker started; it is ended with the worker. */
  processStarted(tree: LiveTree): void
  processEnded(pid: number): void
  /** Code begins that could keep the worker from everything else. It has ended when the connection is closed. */
  codeStarted(code: RunningCode): Promise<void>
}

/** A command that an agent asks mdtest to execute. */
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
  /** What the command that runs has written so far. */
  outputForAgent(): Promise<string>
  stopForAgent(): Promise<void>
  /** Stops all that the commands left running. Gives the command lines of that. */
  holdForAgent(): Promise<readonly string[]>
  releaseForAgent(): Promise<void>
  endForAgent(): Promise<void>
}
