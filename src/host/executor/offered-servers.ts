import { createHash } from 'node:crypto'
import type { ActivityKind } from '../../agents/agent.ts'
import type { AttachedServer, AttachedServers } from '../../agents/attached-servers.ts'
import { browserServer } from '../../agents/browser/playwright-server.ts'
import { ownTools } from '../../agents/report-access.ts'
import type { McpSession } from '../../mcp/mcp-session.ts'
import type { ProgramPlace, ServerTool } from '../../mcp/tool-call.ts'
import { messageOf } from '../../system/error-facts.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { holdTree, type TreeHold } from '../../system/process/trees/hold-tree.ts'

/** A tool of a server, as mdtest offers it to an agent. */
export interface OfferedTool extends ServerTool {
  readonly offeredName: string
  /** By the name under which front matter or options have it. */
  readonly server: string
  readonly session: McpSession
  readonly kind: Extract<ActivityKind, 'browser' | 'mcp'>
}

/** The MCP servers of a spec, which mdtest has started for an agent. */
export interface OfferedServers {
  readonly tools: readonly OfferedTool[]
  /** Stops their programs. Gives the command lines of what these left in the background. */
  hold(): Promise<readonly string[]>
  /** Lets them go on. */
  release(): void
  /** Ends them with all that they started. */
  close(): Promise<void>
}

/** Where programs of servers are started, and what ends the wait for them. */
export interface ServerPlace extends ProgramPlace {
  readonly signal: AbortSignal
}

/**
 * Starts all servers, or connects to them, and asks for their tools.
 *
 * @throws {MdtestError} that names one that cannot be used; all have ended then
 */
export async function openServers(
  servers: AttachedServers,
  { signal, ...place }: ServerPlace,
): Promise<OfferedServers> {
  const holds = new Map<number, TreeHold>()
  const sessions: McpSession[] = []
  let failure: MdtestError | undefined
  const failed = new AbortController()
  const over = AbortSignal.any([signal, failed.signal])
  const watched: ProgramPlace = {
    ...place,
    onStart(tree) {
      place.onStart(tree)
      holds.set(tree.pid, holdTree({ root: tree, mark: tree.mark }))
    },
    onEnd(pid) {
      holds.delete(pid)
      place.onEnd(pid)
    },
  }
  const open = async ([name, server]: readonly [string, AttachedServer]): Promise<readonly OfferedTool[]> => {
    try {
      // Most specs have no server.
      const { openSession } = await import('../../mcp/mcp-session.ts')
      const session = await openSession(server, watched, over)
      sessions.push(session)
      const tools = await session.listTools(over)
      return toolsOf({ name, server, session, tools })
    } catch (error: unknown) {
      failure ??= unusable(name, error)
      // Nobody waits for the others.
      failed.abort()
      return []
    }
  }
  const close = async (): Promise<void> => {
    for (const hold of holds.values()) {
      hold.resume()
      hold.close()
    }
    await Promise.all(sessions.splice(0).map((session) => session.close().catch(() => undefined)))
  }
  const tools = await Promise.all(Object.entries(servers).map(open))
  if (failure !== undefined) {
    await close()
    throw failure
  }
  return {
    tools: withUniqueNames(tools.flat()),
    async hold() {
      const left = await Promise.all([...holds.values()].map((hold) => hold.stop()))
      return left.flat()
    },
    release() {
      for (const hold of holds.values()) hold.resume()
    },
    close,
  }
}

function unusable(name: string, error: unknown): MdtestError {
  const code = name === browserServer ? 'AGENT_BROWSER_UNAVAILABLE' : 'AGENT_MCP_UNAVAILABLE'
  return new MdtestError(code, `The MCP server \`${name}\` cannot be used (${messageOf(error)}).`, {
    hint: 'Start it by hand as `mcpServers` or `mcp-servers` say, and see.',
    cause: error,
  })
}

interface OpenServer {
  readonly name: string
  readonly server: AttachedServer
  readonly session: McpSession
  readonly tools: readonly ServerTool[]
}

function toolsOf({ name, server, session, tools }: OpenServer): readonly OfferedTool[] {
  const mayUse = (tool: ServerTool): boolean => server.tools?.includes(tool.name) ?? true
  const kind = drivesBrowser.test(name) ? 'browser' : 'mcp'
  return tools.filter(mayUse).map((tool) => ({
    ...tool,
    server: name,
    session,
    kind,
    offeredName: name === browserServer && tool.name.startsWith('browser_') ? tool.name : `${name}__${tool.name}`,
  }))
}

/** As with an agent's own servers: what such a tool repeats of its arguments is no sight of a page. */
const drivesBrowser = /playwright|chrome|browser/i

/** With the prefix that Claude Code gives them, names of tools have at most 64 characters. */
const maxNameLength = 64 - ownTools.length

/** Names that all CLIs and models take, each once. */
function withUniqueNames(tools: readonly OfferedTool[]): readonly OfferedTool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    const plain = tool.offeredName.replaceAll(/[^\w-]/g, '_')
    const isPlain = plain.length <= maxNameLength && !taken.has(plain)
    const offeredName = isPlain ? plain : `${plain.slice(0, maxNameLength - 9)}_${hashOf(tool.offeredName)}`
    taken.add(offeredName)
    return { ...tool, offeredName }
  })
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8)
}
