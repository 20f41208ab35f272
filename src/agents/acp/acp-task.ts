import type { AttachedServers } from '../attached-servers.ts'
import type { AcpQuirks } from './acp-program.ts'

/** What the program that leads an ACP agent is told, in one line. Paths are absolute. */
export interface AcpTask {
  readonly prompt: string
  readonly cwd: string
  /** The agent's name for people. */
  readonly title: string
  /** Its program, looked up on PATH, and its arguments. */
  readonly argv: readonly [string, ...string[]]
  /** Variables that it is started with besides the environment. */
  readonly variables: Readonly<Record<string, string>>
  /** Variables that get a password which nobody else knows. */
  readonly passwords: readonly string[]
  readonly quirks: AcpQuirks
  /** The session to go on in. Default: a new one. */
  readonly sessionId?: string
  /** MCP servers besides mdtest's own. */
  readonly mcpServers: AttachedServers
  /** mdtest's own. */
  readonly reports?: { readonly url: string; readonly token: string }
  readonly gate: GateRules
}

/** What the agent may do where it asks. Paths are absolute. */
export interface GateRules {
  /** Rules as Claude Code's. */
  readonly allow: readonly string[]
  readonly dangerouslyAllowAllActions: boolean
  /** Files and folders at which it may look. */
  readonly roots: readonly string[]
  /** Folders in which it may write. */
  readonly writable: readonly string[]
  /** Whether mdtest alone executes and writes. */
  readonly isLookingOnly: boolean
}
