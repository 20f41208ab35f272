import type { Provider } from '../../agents/browser/browser-settings.ts'
import type { AgentName } from '../../agents/registry.ts'
import type {
  AcpAgent,
  ExecutorChoice,
  SandboxMode,
  McpServers,
  ReplayMode,
  ReproduceMode,
} from '../../spec/front-matter/front-matter.ts'
import type { DialectName } from '../../spec/dialects/dialect-places.ts'
import type { Assurance } from '../../records/outcome.ts'

/** Any program as an agent. `{prompt}`, `{spec}`, `{log}` and `{root}` in its arguments are replaced. */
export interface CommandAgent {
  readonly command: readonly [string, ...string[]]
}

/** Options of `mdtest()`. */
export interface Options {
  /** Files that are specs: globs relative to the root, with `*`, `**`, `?` and `{a,b}`. @default ['**\/*.test.md'] */
  readonly include?: readonly string[]
  /**
   * Files of other tools that are specs, too: for each dialect, globs as in `include`. Front matter `dialect`
   * overrides this option. @default {}
   */
  readonly dialects?: { readonly [Name in DialectName]?: readonly string[] }
  /**
   * Who carries out the prose. `auto` takes the first of `claude`, `codex`, `opencode`, `gemini`, `copilot` and `qwen`
   * that is on PATH. `browser` is a model with a browser, for specs of web applications. @default 'auto'
   */
  readonly agent?: 'auto' | AgentName | 'none' | AcpAgent | CommandAgent
  /**
   * What the agent may do without asking, as Claude Code permission rules, for example `Bash(npm *)`. Front matter
   * `allow` adds rules. @default []
   */
  readonly allow?: readonly string[]
  /** Whether commands of the agent may use the network; only the sandbox of Codex can forbid it. @default false */
  readonly network?: boolean
  /**
   * Who runs the product while an agent carries out prose. `mdtest`: the agent asks mdtest to run each command.
   * `agent`: the agent runs commands in its own shell. `auto`: `mdtest` for Claude Code, for Codex, and with a working
   * sandbox for other agents that accept mdtest's tools. For all others, `agent`. @default 'auto'
   */
  readonly executor?: ExecutorChoice
  /**
   * With executor `mdtest`: whether the agent runs in a sandbox. `require`: no agent starts without a sandbox.
   * @default 'auto'
   */
  readonly sandbox?: SandboxMode
  /** Lets the agent do anything without asking. Only for throw-away machines. @default false */
  readonly dangerouslyAllowAllActions?: boolean
  /** Time limit of the agent in one scenario, in milliseconds. At most 2 147 483 647. @default 600_000 */
  readonly hardTimeoutMs?: number
  /** Time limit without any sign of life of the agent, in milliseconds. At most 2 147 483 647. @default 180_000 */
  readonly silenceTimeoutMs?: number
  /** Time limit of one command or script block, in milliseconds. At most 2 147 483 647. @default 60_000 */
  readonly blockTimeoutMs?: number
  /**
   * Environment variables whose values are masked in logs, messages and reports, in addition to variables named
   * `…KEY`, `…TOKEN…`, `…SECRET…` or `…PASSWORD…`. A value of fewer than 8 characters is an error. @default []
   */
  readonly secrets?: readonly string[]
  /**
   * The weakest assurance that passes: a weaker pass fails with `ASSURANCE_TOO_LOW`.
   * @default 'claimed' in an agent's own interface, and where mdtest neither runs the product nor sees the agent's tool calls; otherwise 'evidenced'
   */
  readonly minAssurance?: Assurance
  /** Whether the terminal shows what agents are doing. @default true */
  readonly progress?: boolean
  /** Cost limit of the agent in one scenario, in US dollars, above 0. Only Claude Code and OpenCode report cost. */
  readonly maxCostUsd?: number
  /**
   * Token limit of the agent in one scenario, input plus output, from 1. Checked at the end of each turn of the agent.
   */
  readonly maxTokens?: number
  /** Cost limit of all agents of a run together, also checked before each start. */
  readonly maxRunCostUsd?: number
  /** Token limit of all agents of a run together, also checked before each start. */
  readonly maxRunTokens?: number
  /** How many agents may run at once, in all workers together, 1 to 1000. @default 4 */
  readonly maxAgents?: number
  /** Whether specs with `side-effects: true` also run if the variable `CI` is set. @default false */
  readonly allowSideEffects?: boolean
  /**
   * Whether each run in watch mode starts agents, including the first run and runs after a file was saved. Otherwise
   * agents start on demand. @default false
   */
  readonly watchAgents?: boolean
  /** How often each scenario runs, 1 to 100. Nothing is reused from run to run. @default 1 */
  readonly repeats?: number
  /** In how many of the `repeats` a step has to pass, from 1; by default in all. */
  readonly require?: number
  /**
   * Whether the commands, blocks and steps after a failure still run.
   * @default 'continue' without an agent, 'stop' with one
   */
  readonly afterFailure?: 'continue' | 'stop'
  /**
   * When the recording beside a spec (`X.recording.md`) replaces the agent. `auto`: if the recording has what a
   * scenario needs; in CI a fully recorded spec starts no agent. `only`: always, without any agent. `off`: never.
   * @default 'auto'
   */
  readonly replay?: ReplayMode
  /**
   * Whether mdtest records passed scenarios that have no recording and, with `-u`, scenarios whose wording has
   * changed. Never in CI. @default false
   */
  readonly recordings?: boolean
  /**
   * Whether mdtest repeats the agent's commands, without the agent, before a pass counts. `true`: a step that cannot
   * be repeated fails with `NOT_REPRODUCED`. `'warn'`: such a step passes as `observed` at most. @default false
   */
  readonly reproduce?: ReproduceMode
  /**
   * Folder of the HTML report (`vitest-mdtest/reporter`, `mdtest run --report`), relative to the root.
   * @default 'mdtest-report'
   */
  readonly reportDir?: string
  /** Model provider for specs with the agent `browser`; `MDTEST_PROVIDER` overrides it. @default 'openai' */
  readonly provider?: Provider
  /** Name of the model, or of the deployment on Azure; `MDTEST_MODEL` overrides it. Each provider has a default. */
  readonly model?: string
  /** Address of the provider, including the version, for example `https://models.example.com/v1`. */
  readonly providerUrl?: string
  /** Address of the web application for browser specs. Front matter `base-url` overrides it. */
  readonly baseUrl?: string
  /** Maximum number of model requests in one scenario of the agent `browser`, 1 to 1000. @default 50 */
  readonly maxModelSteps?: number
  /** Whether the browser of the agent `browser` has a visible window. @default false */
  readonly headed?: boolean
  /**
   * Whether the browser opens pages with an untrusted certificate. Front matter `ignore-https-errors` overrides it.
   * @default false
   */
  readonly ignoreHttpsErrors?: boolean
  /**
   * Origins where the agent may type secrets and open links from mails, besides the origin of `baseUrl`. Front matter
   * `secret-origins` overrides this option.
   */
  readonly secretOrigins?: readonly string[]
  /**
   * One-time codes that an agent may type: the name of each code, and the variable that contains its secret. Front
   * matter `totp` adds codes.
   */
  readonly totp?: Readonly<Record<string, string>>
  /** Address of MailDev or Mailpit, which receives the application's mails. Front matter `mailbox` overrides it. */
  readonly mailbox?: string
  /** Further MCP servers for every agent, by name, written as in `.mcp.json`. Front matter `mcp-servers` adds more. */
  readonly mcpServers?: McpServers
  readonly logs?: {
    /** How many runs of a spec keep their logs, 1 to 1000. @default 10 */
    readonly keep?: number
    /** Folder for logs in place of `X.logs/` beside each spec, relative to the root. */
    readonly dir?: string
  }
}
