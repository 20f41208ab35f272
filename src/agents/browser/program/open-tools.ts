import { MdtestError } from '../../../system/mdtest-error.ts'
import type { BrowserTask } from '../browser-task.ts'
import type { Browser } from './open-browser.ts'
import { openToolServer, type ToolServer } from './tool-server.ts'
import { messageOf } from '../../../system/error-facts.ts'

/** Everything that the model gets tools from. */
export interface OpenTools extends AsyncDisposable {
  readonly browser: Browser
  /** mdtest's own server. */
  readonly reports: ToolServer
  /** By the names that options or front matter give them. */
  readonly others: ReadonlyMap<string, ToolServer>
}

interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  /** Is closed with the other servers. */
  readonly browser: Browser
}

/** Connects to all servers of a scenario, to none where one of them fails. */
export async function openTools(task: BrowserTask, { env, browser }: Surroundings): Promise<OpenTools> {
  const { cwd, reports, mcpServers } = task
  const open: { close(): Promise<void> }[] = [browser]
  const closeAll = async (): Promise<void> => {
    await Promise.all(open.map((one) => one.close().catch(() => undefined)))
  }
  const opened = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const one = await opening
    open.push(one)
    return one
  }
  try {
    const headers = { Authorization: `Bearer ${reports.token}` }
    const reportServer = await opened(openToolServer({ url: reports.url, headers }, { cwd, env }))
    const others = new Map<string, ToolServer>()
    for (const [name, server] of Object.entries(mcpServers)) {
      others.set(name, await opened(openOther(name, () => openToolServer(server, { cwd, env }))))
    }
    return { browser, reports: reportServer, others, [Symbol.asyncDispose]: closeAll }
  } catch (error: unknown) {
    await closeAll()
    throw error
  }
}

/** What a server says that does not start names nobody. */
async function openOther(name: string, open: () => Promise<ToolServer>): Promise<ToolServer> {
  try {
    return await open()
  } catch (error: unknown) {
    const why = messageOf(error)
    throw new MdtestError('AGENT_MCP_UNAVAILABLE', `The MCP server \`${name}\` cannot be used (${why}).`, {
      hint: 'Start it by hand as `mcpServers` or `mcp-servers` say, and see.',
      cause: error,
    })
  }
}
