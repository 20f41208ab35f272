import type { McpServer, McpServers } from '../../spec/front-matter/front-matter.ts'
import { messageOf } from '../../system/error-facts.ts'
import type { McpSession } from '../../mcp/mcp-session.ts'
import type { ProgramPlace, ToolAnswer, ToolCall } from '../../mcp/tool-call.ts'

/** The MCP servers of one scenario, each started by the first call of one of its tools. */
export interface ScenarioTools {
  /** Never rejects. */
  call(server: string, call: ToolCall & Pick<ProgramPlace, 'cwd'>): Promise<ToolAnswer>
  /** Ends them, with all that they left. */
  close(): Promise<void>
}

interface ScenarioToolsOptions extends Omit<ProgramPlace, 'cwd' | 'env' | 'launcher'> {
  readonly servers: McpServers
  /** Known once the scenario may run. */
  readonly launcher: () => ProgramPlace['launcher']
  /** The environment that agents and their servers get. */
  env(): Promise<ProgramPlace['env']>
}

export function createScenarioTools(options: ScenarioToolsOptions): ScenarioTools {
  const sessions = new Map<string, Promise<McpSession>>()
  const open = async (
    server: McpServer,
    { cwd, signal }: ToolCall & Pick<ProgramPlace, 'cwd'>,
  ): Promise<McpSession> => {
    const { openSession } = await import('../../mcp/mcp-session.ts')
    return openSession(server, { ...options, launcher: options.launcher(), env: await options.env(), cwd }, signal)
  }
  return {
    async call(name, call) {
      const server = Object.hasOwn(options.servers, name) ? options.servers[name] : undefined
      if (server === undefined) {
        const message = `No MCP server \`${name}\` is known. Name it in \`mcp-servers\` of the front matter, or in the option \`mcpServers\`.`
        return { kind: 'lost', message }
      }
      const opened = sessions.get(name) ?? open(server, call)
      sessions.set(name, opened)
      try {
        const session = await opened
        return await session.call(call)
      } catch (error: unknown) {
        sessions.delete(name)
        void opened.then((session) => session.close()).catch(() => undefined)
        return {
          kind: 'lost',
          message: `The MCP server \`${name}\` cannot be used: ${messageOf(error)}. Start it by hand, and see.`,
        }
      }
    },
    async close() {
      await Promise.all(
        [...sessions.values()].map((opened) => opened.then((one) => one.close()).catch(() => undefined)),
      )
    },
  }
}
