import type { Command } from '../system/process/command.ts'
import type { AgentNeeds, Equipment, ReadyAgent } from './preparation.ts'
import type { DoneCall } from './done-call.ts'
import type { PromptParts } from './prompt.ts'
import type { SpecPart } from '../spec/spec.ts'

/** What an agent is asked to do: one scenario. */
export interface AgentRequest extends Partial<Equipment> {
  readonly prompt: string
  readonly cwd: string
  readonly specFile: string
  readonly root?: string
  readonly includedFiles?: readonly string[]
  /** What the agent needs of these files and of others, in this order. @default all of spec and included files */
  readonly parts?: readonly SpecPart[]
  readonly logFile: string
  readonly env: Readonly<Record<string, string>>
  /** Claude Code permission rules, for example `Bash(npm *)`. */
  readonly allow: readonly string[]
  /** Whether commands of the agent may use the network, where its sandbox can forbid it. */
  readonly network: boolean
  readonly dangerouslyAllowAllActions: boolean
  readonly maxCostUsd?: number
  readonly reports?: ReportAccess
  readonly answer?: AnswerRequest
  /** Given where mdtest alone is to execute. `tools`: names of those of mdtest's server that are not for reports. */
  readonly executor?: { readonly tools: readonly string[] }
}

export interface AnswerRequest {
  readonly schema: object
  readonly schemaFile: string
  readonly sessionId?: string | undefined
  readonly mcpConfigFile?: string | undefined
}

/** mdtest's MCP server for the steps of one scenario, `mdtest` by name. */
export interface ReportAccess {
  readonly url: string
  /** Bearer token. Never in the command line, which every user of the machine can read. */
  readonly token: string
  /** Of MCP servers; the file is there for an agent whose `reports` is `file`. */
  readonly configFile: string
}

/** Where a tool call of an agent belongs in the journal. */
export type ActivityKind = 'command' | 'file' | 'browser' | 'mcp' | 'web' | 'other'

/** `housekeeping`: it serves the agent alone. `numbered`: its lines have numbers. `list`: it gives names alone. */
export type ToolUse = 'housekeeping' | 'edit' | 'numbered' | 'search' | 'list'

export type ToolCall = Extract<AgentEvent, { readonly type: 'tool-call' }>

/** One thing read from an agent's event stream. */
export type AgentEvent =
  | { readonly type: 'opened'; readonly sessionId?: string; readonly model?: string; readonly version?: string }
  | {
      readonly type: 'tool-call'
      readonly id: string
      readonly kind: ActivityKind
      readonly tool: string
      readonly use?: ToolUse
      readonly title: string
      /** Empty for a command, whose paths nobody can know. */
      readonly files: readonly string[]
      /** Arguments of a call that is no command, where they are told: what a tool repeats of them is no sight. */
      readonly input?: unknown
      readonly directory?: string
      /** Arguments of a call of mdtest's own tools, where they are told. */
      readonly reported?: unknown
      /** Words of the agent's own that the call writes into files, where they are told. */
      readonly written?: readonly string[]
      /** Files that the call makes of words which it does not tell. */
      readonly created?: readonly string[]
    }
  | {
      readonly type: 'tool-result'
      readonly id: string
      readonly isError: boolean
      readonly exitCode?: number
      readonly output: string
    }
  /** `rule`: the `allow` line that would permit it. The same `id` may come twice, the second time with a rule. */
  | { readonly type: 'denial'; readonly id?: string; readonly what: string; readonly rule?: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'answer'; readonly value: unknown }
  /** A screenshot that the agent's program, not its model, has put into the evidence folder. */
  | { readonly type: 'image'; readonly file: string; readonly step?: string }
  /** Tokens of one request, said while the agent works. The same `id` may come again; `usage` outranks them all. */
  | {
      readonly type: 'tokens'
      readonly id: string
      readonly inputTokens: number
      readonly outputTokens: number
      readonly cachedInputTokens?: number
      /** Of an agent that the agent has started. */
      readonly isOfHelper?: true
    }
  /** All of the session or thread so far: the last one counts, they never add up. Cached tokens are input tokens. */
  | {
      readonly type: 'usage'
      readonly inputTokens: number
      readonly outputTokens: number
      readonly cachedInputTokens?: number
      readonly costUsd?: number
      readonly turns?: number
      readonly contextWindow?: number
    }
  | {
      readonly type: 'error'
      /** `browser`: it has none, or none any more. `model`: it does not answer. `no-verdict`: the model ended, or had to be ended, without reporting. `question`: it asked somebody before it would begin; `message` is what, behind the agent's name. */
      readonly cause: 'executor' | 'auth' | 'budget' | 'mcp' | 'browser' | 'model' | 'question' | 'no-verdict' | 'other'
      readonly message: string
      readonly status?: number
    }
  | { readonly type: 'end'; readonly isError: boolean }
  /** A line of the stream that this version does not know: kept, never fatal. */
  | { readonly type: 'unknown'; readonly raw: string }

/** A CLI agent is data and two pure functions around the execution of one command. */
export interface CliAgent {
  readonly name: string
  readonly bin: string
  /** Whether it learns of the report server from a file or from variables. With `none` it writes the result log. */
  readonly reports: 'file' | 'environment' | 'none'
  /** The same where mdtest alone is to execute, which needs its server in any case. @default that of `reports` */
  readonly reportsToExecutor?: 'file'
  /** What takes its shell away: its own command line, a sandbox, or its user's trust. `mdtest`: it has none. */
  readonly confinement: 'own' | 'sandbox' | 'trust' | 'mdtest'
  /** Whether a `cd` in its shell lasts for later commands. */
  readonly keepsDirectory?: boolean
  readonly tellsCost?: boolean
  /** Whether it does not tell what its commands print: then no quote can be looked for. @default false */
  readonly hidesOutputs?: boolean
  /** Command line that installs the program, for messages. Absent where mdtest brings it, or where nobody knows. */
  readonly install?: string
  /** Arguments of the user's own, with which its program is started: files among them are parts of it. Default: none */
  readonly ownWords?: readonly string[]
  /** Variables that the program sets for its own commands: an agent that is started inside must not take itself for them. */
  readonly ownVariables?: readonly string[]
  readonly ownFolders?: readonly string[]
  /** Whether it is a model with a browser: any markdown may be its spec, and several work at once. @default false */
  readonly drivesBrowser?: boolean
  checkSetUp?(needs: Pick<AgentNeeds, 'browser' | 'root' | 'env' | 'browsers'>): Promise<void>
  /** Makes it ready for a scenario, as `prepareWithServers` does. @throws {MdtestError} that says what is missing */
  prepare(needs: AgentNeeds): Promise<ReadyAgent>
  buildPrompt?(parts: PromptParts): string
  /** The exact command line; the prompt is the last argument, no shell. */
  buildCommand(request: AgentRequest): Command
  /** Files and folders of its state, which it writes: a sandbox lets it. */
  ownPaths?(env: Readonly<Record<string, string>>): readonly string[]
  /** Takes away what else may act, such as servers of its user. `wrap` puts a command into the sandbox. */
  confine?(command: Command, wrap: (command: Command) => Command): Promise<Confined>
  /** The folder with a file of each session, its id at the end of the name, for `readEvents`. */
  sessionsFolder?(env: Readonly<Record<string, string>>): string
  /** Events in one line of standard output. Never throws; an unknown line is an `unknown` event or none. */
  readEvents(line: string): readonly AgentEvent[]
  /** Events in one line of standard error, for a program that says there what it says nowhere else. Never throws. */
  readDiagnostics?(line: string): readonly AgentEvent[]
  /** What its browser did, in one line of standard output. Absent for an agent without one of its own. Never throws. */
  readDone?(line: string): readonly DoneCall[]
  /** Writes settings in which nothing is allowed in advance into a private folder, its `settingsHome`. */
  writeSettings?(home: string, env: Readonly<Record<string, string | undefined>>): void
  readonly interface?: AgentInterface
}

/** The command of an agent that executes nothing itself, or why its program cannot be trusted not to. */
export type Confined = { readonly ok: true; readonly command: Command } | { readonly ok: false; readonly why: string }

/** An agent of the registry; `title` is its name for people. `WorksOnCode`: it changes files and runs commands. */
export interface NamedAgent<Name extends string, WorksOnCode extends boolean> extends CliAgent {
  readonly name: Name
  readonly title: string
  readonly worksOnCode: WorksOnCode
}

/** The agent's own interface, in a terminal. There it prints no events: all that is told is when a turn is over. */
export interface AgentInterface {
  buildCommand(request: InterfaceRequest): Command
  /** Events in one line of `notesFile`; `end` is the end of a turn. Never throws. */
  readNote(line: string): readonly AgentEvent[]
  readonly firstQuestions: readonly FirstQuestion[]
}

/** What an agent asks before its first session or its first in a folder. `pattern`: of its screen without blanks. */
export interface FirstQuestion {
  readonly pattern: RegExp
  /** What it asks and what to do about it, a sentence behind the agent's name. */
  readonly message: string
}

/** `notesFile`: hooks of the agent may add lines to it. */
export interface InterfaceRequest extends AgentRequest {
  readonly notesFile: string
}
