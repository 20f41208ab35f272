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

/** Limits and permissions of an agent, as options, front matter and command line settled them. */
type AgentSettings = Omit<SpecSettings, SettledByWorker>

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

/** One scenario that a worker wants carried out. */
export interface ScenarioRequest {
  /** Chosen by the worker, unique in its connection; names the request when it is canceled. */
  readonly requestId: string
  readonly specFile: string
  /** Absolute paths of the files that the spec includes, in the order of their sections. */
  readonly includedFiles: readonly string[]
  readonly specAgent: string
  readonly scenarioTitle?: string
  /** What the result log calls the scenario. */
  readonly title: string
  /** Counted from 1. */
  readonly attempt: number
  readonly root: string
  readonly cwd: string
  /** Where the spec is in `cwd`, when that is a copy of the root. */
  readonly specCopy?: string
  /**
   * Whether `cwd` is a copy of the root.
   * @default false
   */
  readonly isCopy?: boolean
  /**
   * Whether `cwd` is a folder made for this scenario: a copy of the root, or a temporary one.
   * @default false
   */
  readonly hasOwnFolder?: boolean
  /**
   * Absolute paths that `file=` blocks of the scenario write, in a working directory of its own.
   * @default []
   */
  readonly writtenFiles?: readonly string[]
  /** Where the included files are in that copy. */
  readonly includedCopies?: readonly string[]
  readonly settings: AgentSettings
  /** Front matter `env`, for the agent as well as for the blocks. */
  readonly env: Readonly<Record<string, string>>
  /** Front matter `writes`: files of the product that the agent may change, in the folder of the scenario. */
  readonly writes: readonly string[]
  /** Whether `requires` asks for a browser. */
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

/** What a worker learns at once of an agent it asked for. */
export interface AgentStart {
  /** Absolute path of the result log; absent where no agent was started, like the next. */
  readonly logFile?: string
  /** Absolute path of the folder for evidence. */
  readonly evidenceDir?: string
}

/** The limit of the step that the agent tries next. */
export interface StepTimeout {
  readonly limitMs: number
  /** What is left of it, in milliseconds. */
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
  /** What the agent did, where that was asked for and can be told; at the end only. */
  readonly calls?: readonly AgentCall[]
  /** Why these calls are not there, where they were asked for: reason and way out. */
  readonly unrecordable?: string
  /** Version of its program, with these calls, where it tells it. */
  readonly version?: string
  /** Absolute path of the folder that it had for files of its own, with these calls, where mdtest acted for it. */
  readonly scratchDir?: string
}

/** Whether expected output that differs is rewritten: not, not under CI, in this run, or in each run of a watch. */
export type UpdateMode = 'off' | 'refused' | 'once' | 'always'

/** Expected output to be rewritten in one file. */
export interface FileRewrites {
  readonly file: string
  /** SHA-256 of the file as it was read, in hexadecimal. */
  readonly hash: string
  readonly rewrites: readonly Rewrite[]
}

/** Why nothing was rewritten, with a way out, and the line it is about. */
export interface UpdateRefusal {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** What was recorded of a spec. */
export interface MadeRecording {
  readonly specFile: string
  readonly root: string
  readonly scenarios: readonly ScenarioToUpdate[]
  /** Whether no filter left out a step of the spec. */
  readonly isWhole: boolean
  readonly refusals: readonly RecordingRefusal[]
  readonly recorded: readonly StepRecorded[]
}

/** A scenario whose blocks need a browser. Paths are absolute. */
export interface BrowserRequest {
  readonly specFile: string
  readonly root: string
  readonly settings: BrowserSettings
}

/** A browser to start, or why there is none, with a way out. */
export type BrowserAnswer =
  | { readonly ok: true; readonly start: BrowserStart }
  | { readonly ok: false; readonly message: string }

/** A scenario that asks to be let in. All paths are absolute. */
export interface ScenarioPlace {
  /** Whether no other may be inside. */
  readonly isAlone: boolean
  /** Whether an agent carries out a step of it. */
  readonly hasAgent: boolean
  readonly root: string
  readonly spec: readonly string[]
}

/** What a scenario that may run needs to know. */
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

/** What the host tells a worker. */
export interface WorkerFunctions extends AgentExecutor {
  /** Answered by a worker whose event loop turns. */
  ping(): void
  /** The run was interrupted: everything under way ends now. */
  cancelAll(): void
}

/** What a worker may ask of the host. */
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
  /** Ends the agent, if need be before it is started. */
  cancel(requestId: string): void
  /**
   * When the first agent of this run was started, in milliseconds since 1970; nothing where none was. From then on programs
   * may no longer be what they were.
   */
  agentsSince(): Promise<number | undefined>
  /** Makes an empty private directory for one scenario, gone with the run at the latest. Absolute, real path. */
  makeTempDir(): Promise<string>
  /** Finds, or installs, what drives a browser for browser blocks, and makes a folder for it. */
  openBrowser(request: BrowserRequest): Promise<BrowserAnswer>
  /** The environment that agents are started with, and their MCP servers. */
  agentEnvironment(): Promise<Readonly<Record<string, string>>>
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
  /** Absolute path of the folder for files of the agent's own. */
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
  /** Absolute path of the directory in which the shell is now. */
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
  /** Ends the shell with all that its commands left running. */
  endForAgent(): Promise<void>
}
