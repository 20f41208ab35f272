import type { CommandCall, EditCall, McpCall } from '../records/agent-call.ts'
import type { Spent } from '../records/tokens-and-cost.ts'
import type { Command } from '../system/process/command.ts'
import type { AgentNeeds, Equipment, ReadyAgent } from './preparation.ts'
import type { PromptParts } from './prompt.ts'
import type { SpecPart } from '../spec/spec.ts'

/** A scenario that an agent has to carry out. */
export interface AgentRequest extends Partial<Equipment> {
  readonly prompt: string
  readonly cwd: string
  readonly specFile: string
  readonly root?: string
  readonly includedFiles?: readonly string[]
  /** Parts of the spec and other files that the agent needs, in order. @default the spec and all included files */
  readonly parts?: readonly SpecPart[]
  readonly logFile: string
  readonly env: Readonly<Record<string, string>>
  /** Claude Code permission rules, for example `Bash(npm *)`. */
  readonly allow: readonly string[]
  /** Whether the agent's commands may use the network. Has no effect if the agent's sandbox cannot forbid it. */
  readonly network: boolean
  readonly dangerouslyAllowAllActions: boolean
  readonly maxCostUsd?: number
  readonly reports?: ReportAccess
  readonly answer?: {
    readonly schema: object
    readonly schemaFile: string
    readonly sessionId?: string | undefined
    readonly mcpConfigFile?: string | undefined
  }
  /** Set if mdtest runs all commands for the agent. `tools`: names of mdtest's tools, except report tools. */
  readonly executor?: { readonly tools: readonly string[] }
}

/** How an agent reaches mdtest's MCP server, named `mdtest`, to report the steps of one scenario. */
export interface ReportAccess {
  readonly url: string
  /** Bearer token. Must not be in a command line, which every user of the machine can read. */
  readonly token: string
  /** Path of a file with MCP servers. It exists only if the agent's `reports` is `file`. */
  readonly configFile: string
}

/** Kind of a tool call in the journal. */
export type ActivityKind = 'command' | 'file' | 'browser' | 'mcp' | 'web' | 'other'

/** `housekeeping`: not about the product. `numbered`: prints line numbers. `list`: prints only file names. */
export type ToolUse = 'housekeeping' | 'edit' | 'numbered' | 'search' | 'list'

export type ToolCall = Extract<AgentEvent, { readonly type: 'tool-call' }>
export type ErrorEvent = Extract<AgentEvent, { readonly type: 'error' }>

/** An event that mdtest reads from an agent's output. */
export type AgentEvent =
  | { readonly type: 'opened'; readonly sessionId?: string; readonly model?: string; readonly version?: string }
  | {
      readonly type: 'tool-call'
      readonly id: string
      readonly kind: ActivityKind
      readonly tool: string
      readonly use?: ToolUse
      readonly title: string
      /** Empty for a command, because its files are unknown. */
      readonly files: readonly string[]
      /** Arguments, if known, of a call that is no command. Output that repeats them is no evidence. */
      readonly input?: unknown
      readonly directory?: string
      /** Arguments, if known, of a call to one of mdtest's own tools. */
      readonly reported?: unknown
      /** Text, if known, that the agent wrote into files by this call. */
      readonly written?: readonly string[]
      /** Files that the call creates without showing their content. */
      readonly created?: readonly string[]
    }
  | {
      readonly type: 'tool-result'
      readonly id: string
      readonly isError: boolean
      readonly exitCode?: number
      readonly output: string
    }
  /** `rule`: the `allow` line that would permit the call. A second denial with the same `id` may add the rule. */
  | { readonly type: 'denial'; readonly id?: string; readonly what: string; readonly rule?: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'answer'; readonly value: unknown }
  /** A screenshot that the agent's program, not its model, saved in the evidence folder. */
  | { readonly type: 'image'; readonly file: string; readonly step?: string }
  /** Tokens of one request while the agent works. A later event with this `id`, or a `usage` event, replaces them. */
  | {
      readonly type: 'tokens'
      readonly id: string
      readonly inputTokens: number
      readonly outputTokens: number
      readonly cachedInputTokens?: number
      /** Whether a helper (a subagent) of the agent made the request. */
      readonly isOfHelper?: true
    }
  /** Totals of the session so far: only the last event counts. Cached tokens count as input tokens. */
  | ({ readonly type: 'usage'; readonly contextWindow?: number } & Omit<Spent, 'model'>)
  | {
      readonly type: 'error'
      /** `no-verdict`: the model ended without a report. `question`: the program waits for an answer to `message`. */
      readonly cause: 'executor' | 'auth' | 'budget' | 'mcp' | 'browser' | 'model' | 'question' | 'no-verdict' | 'other'
      readonly message: string
      readonly status?: number
    }
  | { readonly type: 'end'; readonly isError: boolean }
  | { readonly type: 'unknown'; readonly raw: string }

/** An agent that is a command-line program: how to start it, and how to read its output. */
export interface CliAgent {
  readonly name: string
  readonly bin: string
  /** How the agent learns of the report server: from a file or variables. `none`: the agent writes the result log. */
  readonly reports: 'file' | 'environment' | 'none'
  /** Replaces `reports` if mdtest runs all commands for the agent (`executor`). @default `reports` */
  readonly reportsToExecutor?: 'file'
  /** What stops the agent's own commands: its flags, a sandbox or only trust. `mdtest`: the agent has no shell. */
  readonly confinement: 'own' | 'sandbox' | 'trust' | 'mdtest'
  /** Whether a `cd` also affects the agent's later commands. */
  readonly keepsDirectory?: boolean
  readonly tellsCost?: boolean
  /** Whether the agent hides the output of its commands, so that quotes cannot be checked. @default false */
  readonly hidesOutputs?: boolean
  /** Command that installs the program, for messages. */
  readonly install?: string
  /** Arguments that the user gave. Files among them stay visible in the sandbox. Default: none */
  readonly ownWords?: readonly string[]
  /** Variables that the program sets for its commands. mdtest removes them from the environment of agents. */
  readonly ownVariables?: readonly string[]
  readonly ownFolders?: readonly string[]
  /** Whether the agent drives a browser. Its specs can be any markdown and run in parallel. @default false */
  readonly drivesBrowser?: boolean
  checkSetUp?(needs: Pick<AgentNeeds, 'browser' | 'root' | 'env' | 'browsers'>): Promise<void>
  /** Prepares the agent for a scenario. @throws {MdtestError} that says what is missing */
  prepare(needs: AgentNeeds): Promise<ReadyAgent>
  buildPrompt?(parts: PromptParts): string
  buildCommand(request: AgentRequest): Command
  /** Files and folders with the agent's state. A sandbox lets the agent write them. */
  ownPaths?(env: Readonly<Record<string, string>>): readonly string[]
  /** Disables tools that run code, such as the user's MCP servers. `wrap` puts a command into the sandbox. */
  confine?(command: Command, wrap: (command: Command) => Command): Promise<Confined>
  /** The folder with a file `…SESSION_ID.jsonl` for each session. `readEvents` can read the lines of the file. */
  sessionsFolder?(env: Readonly<Record<string, string>>): string
  /** Events in one line of stdout. Never throws; an unreadable line gives an `unknown` event or none. */
  readEvents(line: string): readonly AgentEvent[]
  /** Events in one line of stderr, for a program that reports some errors only there. Never throws. */
  readDiagnostics?(line: string): readonly AgentEvent[]
  /** Browser calls in one line of stdout. Absent if the agent has no browser of its own. Never throws. */
  readDone?(line: string): readonly DoneCall[]
  /** Fills a private folder, the agent's `settingsHome`, with settings that grant no permission. */
  writeSettings?(home: string, env: Readonly<Record<string, string | undefined>>): void
  readonly interface?: AgentInterface
}

/** A call that mdtest's executor or browser made for an agent. A recording consists of such calls, in their order. */
export type DoneCall =
  | (Omit<CommandCall, 'step' | 'isLook'> & { readonly isBackground: boolean })
  /** `content`: the text of the file after the edit. */
  | Omit<EditCall, 'step'>
  | { readonly kind: 'report'; readonly isAccepted: boolean }
  /** `server`: the name that the agent knows. `output`: all text of the answer. */
  | Omit<McpCall, 'step'>
  /** A command without an exit code: still running at the end, or ended by something else (`isEnded`). */
  | { readonly kind: 'unfinished'; readonly command: string; readonly isEnded?: true }
  | { readonly kind: 'refused' }

/** The command with which the agent cannot run anything itself. `why`: the reason if that is impossible. */
export type Confined = { readonly ok: true; readonly command: Command } | { readonly ok: false; readonly why: string }

/** An agent of the registry. `title`: name in messages. `WorksOnCode`: whether it changes files and runs commands. */
export interface NamedAgent<Name extends string, WorksOnCode extends boolean> extends CliAgent {
  readonly name: Name
  readonly title: string
  readonly worksOnCode: WorksOnCode
}

/** The agent's interactive interface in a terminal. It prints no events, but its hooks note the end of each turn. */
export interface AgentInterface {
  buildCommand(request: InterfaceRequest): Command
  /** Returns the events in one line of `notesFile`. The event `end` ends a turn. Never throws. */
  readNote(line: string): readonly AgentEvent[]
  readonly firstQuestions: readonly FirstQuestion[]
}

/** An agent's question before its first session or in a new folder. `pattern` matches its text without any blanks. */
export interface FirstQuestion {
  readonly pattern: RegExp
  /** Text after the agent's name, such as `asks whether to trust this folder: …`. */
  readonly message: string
}

/** `notesFile`: a file to which hooks of the agent append lines. */
export type InterfaceRequest = AgentRequest & { readonly notesFile: string }
