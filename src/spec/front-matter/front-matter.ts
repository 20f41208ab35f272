import type { Assurance } from '../../records/outcome.ts'
import { parseJson } from '../../system/text/parse-json.ts'

export const afterFailures = ['continue', 'stop'] as const

export type AfterFailure = (typeof afterFailures)[number]

/** When recordings replace the agent. `auto`: if they fit the spec. `only`: always; an unrecorded step fails. */
export const replayModes = ['auto', 'only', 'off'] as const

export type ReplayMode = (typeof replayModes)[number]

/** Whether a pass must be repeatable without the agent. `warn`: if it is not, the pass gets a lower assurance. */
export const reproduceModes = [true, 'warn', false] as const

export type ReproduceMode = (typeof reproduceModes)[number]

/** The user for steps in the browser: a name, `none` (signed out), or empty (the only user, without a name). */
export interface Login {
  readonly user: string
  readonly line: number
  readonly column: number
}

/** Cookies and storage that another program has saved in Playwright's format. */
export interface SavedLogin {
  /** Path relative to the suite root. */
  readonly storageState: string
  /** Text that only a signed-in user sees on the first page. Default: not checked. */
  readonly signedIn?: string
}

export type SavedLogins = Readonly<Record<string, SavedLogin>>

export interface Repeats {
  readonly runs: number
  readonly required: number
}

/** The front matter of a spec. Its values are checked, and durations are in milliseconds. */
export interface FrontMatter {
  readonly title?: string
  readonly dialect: string
  /** As written: `auto`, `none`, `command` (the agent of the plugin options), or the name of an agent. */
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

/** Settings from the front matter, named like the options. A setting that was not written is absent. */
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

/** Who executes the product while an agent carries out prose. `auto`: mdtest if possible, otherwise the agent. */
export const executors = ['auto', 'mdtest', 'agent'] as const

/** Whether the agent runs in a sandbox while mdtest executes. `require`: without a sandbox, no agent starts. */
export const sandboxModes = ['auto', 'require', 'off'] as const

export type ExecutorChoice = (typeof executors)[number]
export type SandboxMode = (typeof sandboxModes)[number]

/** What to write instead of a removed setting, by its old name. */
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

/** Combines `repeats` and `require`. Without `require`, a step has to pass all runs. `undefined` without `repeats`. */
export function repeatsOf({ repeats, require }: GivenRepeats): Repeats | undefined {
  return repeats === undefined ? undefined : { runs: repeats, required: require ?? repeats }
}

export function describeBadRepeats({ repeats, require }: GivenRepeats): string | undefined {
  if (require === undefined || require <= (repeats ?? 0)) return undefined
  return repeats === undefined
    ? `\`require\` says how many of the \`repeats\` a step has to pass, and there are none. Write \`repeats\` beside it.`
    : `\`require\` must be at most \`repeats\` (${repeats}), got \`${require}\`.`
}

export type McpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly type?: 'http'; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
export type McpServers = Readonly<Record<string, McpServer>>

/** Program and arguments of an ACP agent (agentclientprotocol.com) for which mdtest has no name. */
export interface AcpAgent {
  readonly acp: readonly [string, ...string[]]
}

const start = 'acp:'

export function acpAgentName({ acp }: AcpAgent): string {
  return `${start}${JSON.stringify(acp)}`
}

export function readAcpAgentName(name: string): AcpAgent | undefined {
  if (!name.startsWith(start)) return undefined
  const words = parseJson(name.slice(start.length))
  const [program, ...args] = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
  return program === undefined ? undefined : { acp: [program, ...args] }
}
