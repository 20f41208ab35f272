import type { Provider } from '../../agents/browser/browser-settings.ts'
import type { AgentName } from '../../agents/registry.ts'
import type { AcpAgent, ExecutorChoice, SandboxMode, McpServers } from '../../spec/front-matter/front-matter.ts'
import type { DialectName } from '../../spec/dialects/places.ts'
import type { ReplayMode, ReproduceMode } from '../../spec/recording/replay-mode.ts'
import type { Assurance } from '../../records/outcome.ts'

/** An agent of the user's own: any program. `{prompt}`, `{spec}`, `{log}` and `{root}` in its arguments are replaced. */
export interface CommandAgent {
  readonly command: readonly [string, ...string[]]
}

/** Options of `mdtest()`. */
export interface Options {
  /** Which files are specs: globs relative to the root, with `*`, `**`, `?` and `{a,b}`. @default ['**\/*.test.md'] */
  readonly include?: readonly string[]
  /**
   * Files of other tools that are specs too, by dialect: globs relative to the root, as of `include`. Front matter
   * `dialect` is before it.
   * @default {}
   */
  readonly dialects?: { readonly [Name in DialectName]?: readonly string[] }
  /**
   * Who carries out the prose. `auto` takes the first of `claude`, `codex`, `opencode`, `gemini`, `copilot` and `qwen` that is
   * on PATH. `browser` is a model with a browser, for specs of web applications.
   * @default 'auto'
   */
  readonly agent?: 'auto' | AgentName | 'none' | AcpAgent | CommandAgent
  /**
   * What the agent may do without asking, as Claude Code permission rules, for example `Bash(npm *)`.
   * Front matter `allow` adds to it.
   * @default []
   */
  readonly allow?: readonly string[]
  /** Whether commands of the agent may use the network, where its sandbox can forbid it (codex). @default false */
  readonly network?: boolean
  /**
   * Who executes the product while an agent carries out prose. `mdtest`: mdtest alone, which the agent asks for each
   * command. `agent`: the agent's own shell. `auto`: `mdtest` for Claude Code and Codex, and for others that take its tools
   * where a sandbox works; else `agent`.
   * @default 'auto'
   */
  readonly executor?: ExecutorChoice
  /**
   * Whether the agent's process is in a sandbox where mdtest executes. `require`: without one nothing is started.
   * @default 'auto'
   */
  readonly sandbox?: SandboxMode
  /**
   * Lets the agent do anything without asking: each CLI's own bypass flag. Only for throw-away machines.
   * @default false
   */
  readonly dangerouslyAllowAllActions?: boolean
  /** Hard limit of one scenario's agent in milliseconds, 1 to 2 147 483 647. @default 600_000 */
  readonly hardTimeoutMs?: number
  /** Limit without any sign of life of the agent in milliseconds, 1 to 2 147 483 647. @default 180_000 */
  readonly silenceTimeoutMs?: number
  /** Time limit of one command or script block in milliseconds, 1 to 2 147 483 647. @default 60_000 */
  readonly blockTimeoutMs?: number
  /**
   * Names of environment variables whose values are kept out of logs, messages and reports, besides those whose names
   * say so (`…KEY`, `…TOKEN…`, `…SECRET…`, `…PASSWORD…`). Values have at least 8 characters.
   * @default []
   */
  readonly secrets?: readonly string[]
  /**
   * The weakest assurance that passes; anything below fails with `ASSURANCE_TOO_LOW`.
   * @default 'evidenced' where mdtest executes or can read the agent's calls; 'claimed' for programs that cannot be seen, and for an agent's own interface in a terminal
   */
  readonly minAssurance?: Assurance
  /** Whether the terminal shows what agents are at while they work. @default true */
  readonly progress?: boolean
  /** What one scenario's agent may cost, in US dollars, above 0. Claude Code and OpenCode alone say what they cost. */
  readonly maxCostUsd?: number
  /**
   * Tokens, in and out together, that one scenario's agent may use, from 1. Checked at the end of each of its turns.
   */
  readonly maxTokens?: number
  /** The same limit as `maxCostUsd` for all agents of a run together, checked before each start as well. */
  readonly maxRunCostUsd?: number
  /** The same limit as `maxTokens` for all agents of a run together, checked before each start as well. */
  readonly maxRunTokens?: number
  /** How many agents may be alive at once, over all workers, 1 to 1000. @default 4 */
  readonly maxAgents?: number
  /** Whether specs with `side-effects: true` run where the variable `CI` is set. Elsewhere they do. @default false */
  readonly allowSideEffects?: boolean
  /**
   * Whether every run of a watch starts agents: also its first one, and those that come from a saved file. Else they are
   * started on demand.
   * @default false
   */
  readonly watchAgents?: boolean
  /** How often each scenario is run, 1 to 100. Nothing is reused from run to run. @default 1 */
  readonly repeats?: number
  /** How many of `repeats` a step has to pass, from 1. Absent: all. */
  readonly require?: number
  /**
   * Whether the commands, blocks and steps behind a failure are run as well.
   * @default 'continue' without an agent, 'stop' with one
   */
  readonly afterFailure?: 'continue' | 'stop'
  /**
   * When the recording beside a spec (`X.recording.md`) takes the place of the agent. `auto`: where it has what a scenario
   * needs; under CI a spec of which all is recorded starts no agent. `only`: no agent is started, ever. `off`: never.
   * @default 'auto'
   */
  readonly replay?: ReplayMode
  /**
   * Whether what an agent did for a passed scenario is written beside the spec, where it is not yet, or with `-u` where it
   * is of an earlier wording. Never under CI.
   * @default false
   */
  readonly recordings?: boolean
  /**
   * Whether mdtest repeats what an agent did, without it, before a pass counts. `true`: what cannot be repeated fails with
   * `NOT_REPRODUCED`. `'warn'`: it is lowered to `observed` at most.
   * @default false
   */
  readonly reproduce?: ReproduceMode
  /**
   * Folder that the reporter `vitest-mdtest/reporter` and `mdtest run --report` write the report into, relative to the root.
   * @default 'mdtest-report'
   */
  readonly reportDir?: string
  /** Whose model carries out specs of the agent `browser`; `MDTEST_PROVIDER` is before it. @default 'openai' */
  readonly provider?: Provider
  /** Name of the model, for Azure of the deployment; `MDTEST_MODEL` is before it. Each provider has a default. */
  readonly model?: string
  /** Where the provider is reached, its version included, for example `https://models.example.com/v1`. */
  readonly providerUrl?: string
  /** Address of the web application for browser specs. Front matter `base-url` is before it. */
  readonly baseUrl?: string
  /** Most requests to the model for one scenario of the agent `browser`, 1 to 1000. @default 50 */
  readonly maxModelSteps?: number
  /** Whether the browser of the agent `browser` shows itself. @default false */
  readonly headed?: boolean
  /**
   * Whether the browser opens pages whose certificate nobody vouches for, such as one that signed itself. Front matter
   * `ignore-https-errors` is before it.
   * @default false
   */
  readonly ignoreHttpsErrors?: boolean
  /**
   * Origins besides that of the base URL at which a secret may be typed, and a link of a mail opened. Front matter
   * `secret-origins` is before it.
   */
  readonly secretOrigins?: readonly string[]
  /**
   * One-time codes that an agent may type: by name the variable with the secret that a code is made of. Front matter `totp`
   * adds to them.
   */
  readonly totp?: Readonly<Record<string, string>>
  /** Address of MailDev or Mailpit, for mails that the application sends. Front matter `mailbox` is before it. */
  readonly mailbox?: string
  /** Further MCP servers for every agent, by name, written as in `.mcp.json`. Front matter `mcp-servers` adds to them. */
  readonly mcpServers?: McpServers
  readonly logs?: {
    /** How many runs of a spec keep their logs, 1 to 1000. @default 10 */
    readonly keep?: number
    /** Folder for the logs in place of `X.logs/` beside each spec; relative to the root. */
    readonly dir?: string
  }
}
