import { z } from 'zod'

const texts = z.record(z.string(), z.string())

/** A program that speaks MCP on its standard streams. */
const programServer = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).exactOptional(),
  env: texts.exactOptional(),
})

/** A server reached by streamable HTTP. */
const httpServer = z.strictObject({
  type: z.literal('http').exactOptional(),
  url: z.string().regex(/^https?:\/\/\S+$/),
  headers: texts.exactOptional(),
})

/** A name that both CLIs take; `mdtest` is the report server. */
const serverName = z.string().regex(/^(?!mdtest$)[A-Za-z0-9][A-Za-z0-9-]*$/)

/** MCP servers by name, written as in `.mcp.json`. */
export const mcpServersSchema = z.record(serverName, z.union([programServer, httpServer]))

/** In words what `mcpServersSchema` accepts. */
export const mcpServersForm =
  'a mapping of names (letters, digits and `-`, not `mdtest`) to `{ command, args, env }` or `{ type: http, url, headers }`'

export type McpServer = z.infer<typeof programServer> | z.infer<typeof httpServer>
export type McpServers = Readonly<Record<string, McpServer>>
