import type { CallToolResult, JSONObject, McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { alwaysOffered, annotations } from '../reports/tool-parts.ts'
import type { ExecutorAnswer } from './executor-answer.ts'
import type { OfferedTool } from './offered-servers.ts'

/** The MCP server of one request. */
export type ToolServer = Pick<McpServer, 'registerTool'>

type Input = Readonly<Record<string, unknown>>

/** Adds the tools of the servers of a spec. */
export function addServerTools(
  server: ToolServer,
  tools: readonly OfferedTool[],
  call: (tool: OfferedTool, input: Input) => Promise<ExecutorAnswer>,
): void {
  for (const tool of tools) {
    const { offeredName, description, inputSchema } = tool
    server.registerTool(
      offeredName,
      {
        ...(description !== undefined && { description }),
        inputSchema: unchecked(inputSchema),
        annotations,
        _meta: alwaysOffered,
      },
      async (input) => toolResult(await call(tool, input)),
    )
  }
}

/** An answer with all its parts. */
export function toolResult({ text, parts, isError }: ExecutorAnswer): CallToolResult {
  return { content: [...(parts ?? [{ type: 'text' as const, text }])], ...(isError && { isError }) } // a literal
}

/** The schema as the server told it: the server itself checks what it is given. */
function unchecked(schema: Input): StandardSchemaWithJSON<Input> {
  const told = (): JSONObject => ({ ...schema, type: 'object' }) as JSONObject // it came as JSON
  return {
    '~standard': {
      version: 1,
      vendor: 'mdtest',
      validate: (value) => ({ value: value as Input }), // arguments of a call are an object
      jsonSchema: { input: told, output: told },
    },
  }
}
