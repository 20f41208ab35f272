/** A program that speaks MCP on its standard streams. */
interface ProgramServer {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly replayable?: readonly string[]
}

/** A server reached by streamable HTTP. */
interface HttpServer {
  readonly type?: 'http'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly replayable?: readonly string[]
}

/** `replayable`: tools whose calls may be recorded, and repeated without the agent. */
export type McpServer = ProgramServer | HttpServer
/** MCP servers by name, written as in `.mcp.json`. */
export type McpServers = Readonly<Record<string, McpServer>>
