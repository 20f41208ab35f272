import type { Assurance } from '../../records/outcome.ts'
import type { ReplayMode, ReproduceMode } from '../recording/replay-mode.ts'

export const afterFailures = ['continue', 'stop'] as const // literals, for the type

export type AfterFailure = (typeof afterFailures)[number]

/** Whose browser steps act in: the name of a user, `none` for one who is signed out, empty for the one without a name. */
export interface Login {
  readonly user: string
  readonly line: number
  readonly column: number
}

/** Cookies and storage that somebody else has saved, as Playwright does. */
export interface SavedLogin {
  /** Relative to the suite root. */
  readonly storageState: string
  /** Text that only a signed-in user sees on the first page. Default: nothing is looked for. */
  readonly signedIn?: string
}

export type SavedLogins = Readonly<Record<string, SavedLogin>>

export interface Repeats {
  readonly runs: number
  readonly required: number
}

/** The front matter of a spec, checked, with durations in milliseconds. */
export interface FrontMatter {
  readonly title?: string
  readonly dialect: string
  /** As written: `auto`, `none`, `command` for the one of the plugin options, or the name of an agent. */
  readonly agent?: string
  readonly tags: readonly string[]
  readonly include: readonly string[]
  readonly requires: readonly string[]
  readonly sideEffects: boolean
  readonly watch: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** `root` (default), `temp`, `copy` or a path inside the suite root. */
  readonly cwd: string
  readonly writes: readonly string[]
  readonly login?: Login
  readonly savedLogins?: SavedLogins
  readonly settings: OwnSettings
}

/** Settings that a spec gives itself, named as the options are. Only what was written is present. */
export interface OwnSettings {
  readonly hardTimeoutMs?: number
  readonly silenceTimeoutMs?: number
  readonly maxCostUsd?: number
  readonly maxTokens?: number
  readonly repeats?: Repeats
  readonly afterFailure?: AfterFailure
  readonly replay?: ReplayMode
  readonly reproduce?: ReproduceMode
  readonly baseUrl?: string
  readonly ignoreHttpsErrors?: boolean
  readonly secretOrigins?: readonly string[]
  readonly totp?: Readonly<Record<string, string>>
  readonly mailbox?: string
  readonly mcpServers?: McpServers
  readonly allow?: readonly string[]
  readonly network?: boolean
  readonly executor?: ExecutorChoice
  readonly sandbox?: SandboxMode
  readonly minAssurance?: Assurance
}

/** Who executes the product while an agent carries out prose. `auto`: mdtest, wherever that can be had. */
export const executors = ['auto', 'mdtest', 'agent'] as const // literals, for the type

/** Whether an agent's process is in a sandbox where mdtest executes: where there is one; always, or nothing runs; never. */
export const sandboxModes = ['auto', 'require', 'off'] as const // literals, for the type

export type ExecutorChoice = (typeof executors)[number]
export type SandboxMode = (typeof sandboxModes)[number]

/** What to write in place of a setting that there is no more. */
export const replacedSettings: ReadonlyMap<string, string> = new Map([
  ['hands', 'Write `executor` (`auto`, `mdtest` or `agent`) and `sandbox` (`auto`, `require` or `off`) in its place.'],
  ['rows', 'Write `afterFailure`, or `after-failure` in front matter: `continue` or `stop`.'],
  ['evidence', 'Write `minAssurance`, or `min-assurance` in front matter: `claimed`, `observed`, `evidenced` …'],
])

export const maxRepeats = 100

interface GivenRepeats {
  readonly repeats?: number | undefined
  readonly require?: number | undefined
}

/** What two numbers, each from 1 to 100, say together. Without `require` a step has to pass all runs. */
export function repeatsOf({ repeats, require }: GivenRepeats): Repeats | undefined {
  return repeats === undefined ? undefined : { runs: repeats, required: require ?? repeats }
}

export function describeBadRepeats({ repeats, require }: GivenRepeats): string | undefined {
  if (require === undefined || require <= (repeats ?? 0)) return undefined
  return repeats === undefined
    ? `\`require\` says how many of the \`repeats\` a step has to pass, and there are none. Write \`repeats\` beside it.`
    : `\`require\` must be at most \`repeats\` (${repeats}), got \`${require}\`.`
}

interface ProgramServer {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

interface HttpServer {
  readonly type?: 'http'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

export type McpServer = ProgramServer | HttpServer
export type McpServers = Readonly<Record<string, McpServer>>

/** An agent that speaks ACP (agentclientprotocol.com) and has no name of its own: its program and its arguments. */
export interface AcpAgent {
  readonly acp: readonly [string, ...string[]]
}

const start = 'acp:'

/** What stands for it where agents are told by name: the same for the same words. */
export function acpAgentName({ acp }: AcpAgent): string {
  return `${start}${JSON.stringify(acp)}`
}

export function readAcpAgentName(name: string): AcpAgent | undefined {
  if (!name.startsWith(start)) return undefined
  try {
    const words: unknown = JSON.parse(name.slice(start.length))
    const [program, ...args] = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
    return program === undefined ? undefined : { acp: [program, ...args] }
  } catch {
    return undefined // Somebody's own words.
  }
}
