import type { AgentRequest } from '../agent.ts'

/** In what an agent speaks ACP otherwise than most. */
export interface AcpQuirks {
  /** Whether the tokens that it tells with an answer are those of the whole session, and not of one prompt. */
  readonly tellsTokensOfSession?: boolean
  /** Whether it guesses the kind of a call from its input: a tool of an MCP server with a `command` is no command. */
  readonly guessesKinds?: boolean
  /** Whether the ids of its calls are made of the names of tools, which it tells nowhere else. */
  readonly namesToolsInIds?: boolean
  /** How its last words begin where they tell an error of its model, in a turn that ends like any other. */
  readonly errorStart?: string
  /** Whether it takes MCP servers by their address alone: what is a program it drops without a word. */
  readonly dropsPrograms?: boolean
}

/** What tells one agent that speaks ACP from another. All of it is data. */
export interface AcpProgram<Name extends string> {
  readonly name: Name
  /** Its name for people. */
  readonly title: string
  /** Program looked up on PATH. */
  readonly bin: string
  /** Arguments with which it speaks ACP on its standard streams. */
  readonly args: (place: Pick<AgentRequest, 'root' | 'cwd' | 'logFile'>) => readonly string[]
  /** Command line that installs it; absent for a program of the user's own. */
  readonly install?: string
  /** Folders at the root of a project from which it takes instructions and settings. */
  readonly ownFolders: readonly string[]
  /** Variables that it sets for its own commands. */
  readonly ownVariables: readonly string[]
  /** Whether it says what it cost. */
  readonly tellsCost: boolean
  /** Whether it does not tell what its commands print. */
  readonly hidesOutputs?: boolean
  /** Default: none. */
  readonly quirks?: AcpQuirks
  /**
   * Writes settings into a private folder (absolute path), by which nothing that its user or a project allowed outranks
   * mdtest's rules. Default: variables and arguments do.
   */
  readonly writeSettings?: (home: string, env: Readonly<Record<string, string | undefined>>) => void
  /** Variables that make it ask before it acts. */
  readonly variables: (
    request: Pick<AgentRequest, 'env' | 'executor' | 'settingsHome'>,
  ) => Readonly<Record<string, string>>
  /** Variables that need a password which nobody else knows. */
  readonly passwords: readonly string[]
  /** Absolute paths of folders of its state, which it writes. */
  readonly ownPaths: (env: Readonly<Record<string, string>>) => readonly string[]
}
