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

/** What the program that leads an ACP agent is told, in one line. */
export interface AcpTask {
  readonly request: Omit<AgentRequest, 'env'>
  /** The agent's name for people. */
  readonly title: string
  /** Its program, looked up on PATH, and its arguments. */
  readonly argv: readonly [string, ...string[]]
  /** Variables that it is started with besides the environment. */
  readonly variables: Readonly<Record<string, string>>
  /** Variables that get a password which nobody else knows. */
  readonly passwords: readonly string[]
  readonly quirks: AcpQuirks
}
