import type { Assurance } from '../../records/outcome.ts'
import type { ReplayMode, ReproduceMode } from '../recording/replay-mode.ts'
import type { ExecutorChoice, SandboxMode } from './executor.ts'
import type { McpServers } from './mcp-servers.ts'

/** Whether commands, blocks and steps behind a failed one are run. */
export const afterFailures = ['continue', 'stop'] as const // literals, for the type

export type AfterFailure = (typeof afterFailures)[number]

/** How often a scenario is run, and how many of these runs a step has to pass. */
export interface Repeats {
  /** From 1. */
  readonly runs: number
  /** From 1 to `runs`. */
  readonly required: number
}

/** The front matter of a spec, checked, with durations in milliseconds. */
export interface FrontMatter {
  readonly title?: string
  /** `mdtest` or the name of a dialect. */
  readonly dialect: string
  /** As written: `auto`, `none`, `command` for the one of the plugin options, or the name of an agent. */
  readonly agent?: string
  readonly tags: readonly string[]
  /** As written. */
  readonly include: readonly string[]
  readonly requires: readonly string[]
  readonly sideEffects: boolean
  readonly watch: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** `root` (default), `temp`, `copy` or a path inside the suite root. */
  readonly cwd: string
  readonly writes: readonly string[]
  readonly settings: OwnSettings
}

/** Settings that a spec gives itself, named as the options are. Only what was written is present. */
export interface OwnSettings {
  readonly hardTimeoutMs?: number
  readonly silenceTimeoutMs?: number
  /** US dollars, above 0. */
  readonly maxCostUsd?: number
  /** Tokens in and out together, from 1. */
  readonly maxTokens?: number
  readonly repeats?: Repeats
  readonly afterFailure?: AfterFailure
  readonly replay?: ReplayMode
  readonly reproduce?: ReproduceMode
  /** Address of the web application. */
  readonly baseUrl?: string
  /** Whether a browser opens pages whose certificate nobody vouches for. */
  readonly ignoreHttpsErrors?: boolean
  /** By name, as in `.mcp.json`. */
  readonly mcpServers?: McpServers
  readonly allow?: readonly string[]
  readonly network?: boolean
  readonly executor?: ExecutorChoice
  readonly sandbox?: SandboxMode
  readonly minAssurance?: Assurance
}
