import type { Command } from '../system/process/command.ts'
import type { AgentNeeds, Equipment, ReadyAgent } from './preparation.ts'
import type { DoneCall } from './done-call.ts'
import type { PromptParts } from './prompt.ts'
import type { SpecPart } from '../spec/spec.ts'

/** What an agent is asked to do: one scenario. */
export interface AgentRequest extends Partial<Equipment> {
  /** The whole prompt; handed over as the last argument. */
  readonly prompt: string
  /** Absolute path of the directory the agent works in. */
  readonly cwd: string
  /** Absolute path of the spec. */
  readonly specFile: string
  /** Absolute path of the suite root, of the project or of what the agent is asked in. */
  readonly root?: string
  /** Absolute paths of the files that the spec includes: the agent has to read them, too. @default [] */
  readonly includedFiles?: readonly string[]
  /** What the agent needs of these files and of others, in this order. @default all of spec and included files */
  readonly parts?: readonly SpecPart[]
  /** Absolute path of the result log the agent is asked to write. */
  readonly logFile: string
  /** Environment the agent starts with. */
  readonly env: Readonly<Record<string, string>>
  /** Claude Code permission rules, for example `Bash(npm *)`. */
  readonly allow: readonly string[]
  /** Whether commands of the agent may use the network, where its sandbox can forbid it. */
  readonly network: boolean
  readonly dangerouslyAllowAllActions: boolean
  /** What the agent may cost, in US dollars; for a program that can keep to it. */
  readonly maxCostUsd?: number
  /** Where the agent reports its steps, if it takes reports. */
  readonly reports?: ReportAccess
  /** What an agent that is asked a question has to answer. */
  readonly answer?: AnswerRequest
  /** Absolute path of a private folder with settings that mdtest has made for it. */
  readonly settingsHome?: string
  /** Given where mdtest alone is to execute: the agent's command then takes its shell and its editors away. */
  readonly executor?: {
    /** Names of the tools of mdtest's server beside those for reports. */
    readonly tools: readonly string[]
  }
}

/** An answer in place of a result log, by a JSON schema, which is in `schemaFile`, too. */
export interface AnswerRequest {
  readonly schema: object
  readonly schemaFile: string
  /** The session to go on in, as told by an `opened` event. Default: a new one. */
  readonly sessionId?: string | undefined
  /** Has the request's `mcpServers`; absent where there are none. */
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

/**
 * What a tool is for, where its kind does not say enough. `housekeeping`: it serves the agent alone. `edit`: it writes the
 * files that it names. `numbered`: it shows a file with numbers in front of its lines. `search`: it looks into files that
 * it need not name. `list`: it gives names of files, never what is in them.
 */
export type ToolUse = 'housekeeping' | 'edit' | 'numbered' | 'search' | 'list'

export type ToolCall = Extract<AgentEvent, { readonly type: 'tool-call' }>

/** One thing read from an agent's event stream. */
export type AgentEvent =
  /** `version`: of the agent's program. */
  | { readonly type: 'opened'; readonly sessionId?: string; readonly model?: string; readonly version?: string }
  | {
      readonly type: 'tool-call'
      readonly id: string
      readonly kind: ActivityKind
      readonly tool: string
      readonly use?: ToolUse
      readonly title: string
      /** Paths the call names as its own arguments; empty for a command, whose paths nobody can know. */
      readonly files: readonly string[]
      /** Arguments of a call that is no command, where they are told: what a tool repeats of them is no sight. */
      readonly input?: unknown
      /** Absolute path of the directory in which it is carried out, where mdtest does that. */
      readonly directory?: string
      /** Arguments of a call of mdtest's own tools, where they are told. */
      readonly reported?: unknown
      /** What the call writes into files, where it is told: words of the agent's own. */
      readonly written?: readonly string[]
      /** Files that the call makes with words of the agent's own, which it does not tell. */
      readonly created?: readonly string[]
    }
  | {
      readonly type: 'tool-result'
      readonly id: string
      readonly isError: boolean
      readonly exitCode?: number
      readonly output: string
    }
  /**
   * A tool call that was refused. `rule` is the `allow` line that would permit it, where one can. The same `id` may
   * come twice, the second time knowing more: `mergeDenials` makes one of them.
   */
  | { readonly type: 'denial'; readonly id?: string; readonly what: string; readonly rule?: string }
  | { readonly type: 'text'; readonly text: string }
  /** What the agent answers, by the schema that it was given. */
  | { readonly type: 'answer'; readonly value: unknown }
  /** A screenshot that the agent's program, not its model, has put into the evidence folder: its name, and of which step. */
  | { readonly type: 'image'; readonly file: string; readonly step?: string }
  /** Tokens of one request, said while the agent works. The same `id` may come again; `usage` outranks them all. */
  | {
      readonly type: 'tokens'
      readonly id: string
      readonly inputTokens: number
      readonly outputTokens: number
      /** Of the input tokens, where it is told: what the provider had in its cache. */
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
      /** How many tokens the model can take in one request. */
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
  /**
   * How it learns of the report server: from a file of MCP servers, from variables of its command line and environment,
   * or not at all. Then it writes the result log itself.
   */
  readonly reports: 'file' | 'environment' | 'none'
  /** The same where mdtest alone is to execute, which needs its server in any case. @default that of `reports` */
  readonly reportsToExecutor?: 'file'
  /**
   * What takes its shell and its editors away where mdtest alone is to execute. `own`: its command line does, and a
   * sandbox is around it where there is one. `sandbox`: only a sandbox can. `trust`: the same, but whoever wrote it may
   * do without. `mdtest`: it is a part of mdtest and has none.
   */
  readonly confinement: 'own' | 'sandbox' | 'trust' | 'mdtest'
  /** Whether a `cd` in its shell lasts for later commands. @default false */
  readonly keepsDirectory?: boolean
  /** Whether it says what it cost. @default false */
  readonly tellsCost?: boolean
  /** Whether it does not tell what its commands print: then no quote can be looked for. @default false */
  readonly hidesOutputs?: boolean
  /** Command line that installs the program, for messages. Absent where mdtest brings it, or where nobody knows. */
  readonly install?: string
  /** Arguments of the user's own, with which its program is started: files among them are parts of it. Default: none */
  readonly ownWords?: readonly string[]
  /** Variables that the program sets for its own commands: an agent that is started inside must not take itself for them. */
  readonly ownVariables?: readonly string[]
  /** Folders at the root of a project from which the program takes instructions and settings, by name. */
  readonly ownFolders?: readonly string[]
  /** Whether it is a model with a browser: any markdown may be its spec, and several work at once. @default false */
  readonly drivesBrowser?: boolean
  /** Looks, before a run, for what it needs besides its program. @throws {MdtestError} that says what is missing */
  checkSetUp?(needs: Pick<AgentNeeds, 'browser' | 'root' | 'env' | 'browsers'>): Promise<void>
  /** Makes it ready for a scenario, as `prepareWithServers` does. @throws {MdtestError} that says what is missing */
  prepare(needs: AgentNeeds): Promise<ReadyAgent>
  /** The prompt of one scenario, where it is not the one that all agents get. */
  buildPrompt?(parts: PromptParts): string
  /** The exact command line; the prompt is the last argument, no shell. */
  buildCommand(request: AgentRequest): Command
  /** Absolute paths of files and folders of its state, which it writes: a sandbox lets it. Default: none. */
  ownPaths?(env: Readonly<Record<string, string>>): readonly string[]
  /**
   * Asks the program what else a command has to take away where mdtest executes, such as servers of its user. Default: none.
   * @param wrap puts a command into the sandbox, if there is one: who only bears the name must not get out by a question
   */
  confine?(command: Command, wrap: (command: Command) => Command): Promise<Confined>
  /** Absolute path of the folder with a file of each session, its id at the end of the name, for `readEvents`. */
  sessionsFolder?(env: Readonly<Record<string, string>>): string
  /** Events in one line of standard output. Never throws; an unknown line is an `unknown` event or none. */
  readEvents(line: string): readonly AgentEvent[]
  /** Events in one line of standard error, for a program that says there what it says nowhere else. Never throws. */
  readDiagnostics?(line: string): readonly AgentEvent[]
  /** What its browser did, in one line of standard output. Absent for an agent without one of its own. Never throws. */
  readDone?(line: string): readonly DoneCall[]
  /** Writes settings in which nothing is allowed in advance into a private folder (absolute path): its `settingsHome`. */
  writeSettings?(home: string, env: Readonly<Record<string, string | undefined>>): void
  /** Absent for a program without one. */
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
  /** The exact command line; the prompt is the last argument, no shell. */
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

/** `notesFile`: absolute path of a file to which hooks of the agent may add lines. */
export interface InterfaceRequest extends AgentRequest {
  readonly notesFile: string
}
