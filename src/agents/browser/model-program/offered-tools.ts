import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { httpTransport, McpSession } from '../../../mcp/mcp-session.ts'
import type { ProgramPlace, ServerTool, ToolOutput } from '../../../mcp/mcp-session.ts'
import { unusableServer } from '../../../mcp/server-failures.ts'
import type { McpServer } from '../../../spec/front-matter/front-matter.ts'
import type { ActivityKind, AgentEvent } from '../../agent.ts'
import { ownServer, reportServer } from '../../report-access.ts'
import type { BrowserTask } from '../browser-settings.ts'
import { reportTools } from '../browser-tools.ts'
import { browserServer } from '../playwright-package.ts'
import type { BrowserServer } from '../tool-server/browser-server.ts'
import type { Input } from '../tool-server/user-browser.ts'

export interface OfferedTool {
  readonly name: string
  readonly server: string
  readonly kind: ActivityKind
  readonly tool: ServerTool
  /** Whether the model may make no other call in the same turn, because it first has to see earlier output. */
  readonly isAlone?: boolean
  /** Runs before the event for the call is emitted. */
  before?(input: Input): Promise<void>
  run(input: Input, signal: AbortSignal | undefined): Promise<ToolOutput>
}

const reportTimeoutMs = 60_000

interface Offer {
  readonly browser: BrowserServer
  emit(event: AgentEvent): void
}

export function offeredTools({ reports, others }: TaskServers, offer: Offer): readonly OfferedTool[] {
  const keepEvidence = evidenceKeeper(offer)
  return [
    ...offer.browser.tools.map((tool): OfferedTool => ({
      ...{ name: tool.name, server: browserServer, kind: 'browser', tool },
      // Wait for the browser before the event is emitted. Ignore its error here: `run` reports the same error.
      before: async () => void (await Promise.allSettled([offer.browser.user()])),
      run: (input, signal) => offer.browser.call(tool.name, input, signal),
    })),
    ...reportTools.map((tool): OfferedTool => ({
      ...{ name: tool.name, server: ownServer, kind: 'mcp', tool },
      run: (input, signal) => reports.session.call({ tool: tool.name, input, timeoutMs: reportTimeoutMs, signal }),
      ...(tool.name === 'report_step' && { isAlone: true, before: keepEvidence }),
    })),
    ...[...others].flatMap(([server, opened]) =>
      opened.tools.map((tool): OfferedTool => ({
        // All providers accept names of this form.
        name: `mcp__${server}__${tool.name}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
        ...{ server, kind: 'mcp', tool },
        run: (input, signal) => opened.session.call({ tool: tool.name, input, signal }),
      })),
    ),
  ]
}

/** Saves a screenshot and the network traffic before each report of a step, whatever the status. */
function evidenceKeeper({ browser, emit }: Offer): (input: Input) => Promise<void> {
  let count = 0
  return async ({ step }) => {
    count += 1
    const id = String(step)
    const name = `${String(count).padStart(2, '0')}-${id.replaceAll(/[^\w-]+/g, '-').slice(0, 60)}`
    const user = await browser.user()
    const file = await user.screenshot(name)
    if (file !== undefined) emit({ type: 'image', file, step: id })
    await user.saveTraffic(name)
  }
}

interface ToolServer {
  readonly session: Pick<McpSession, 'call' | 'close'>
  readonly tools: readonly ServerTool[]
}

/** Starts a server as a child of this program, or connects to one. The child's stderr is dropped. */
async function openToolServer(server: McpServer, { cwd, env }: Pick<ProgramPlace, 'cwd' | 'env'>): Promise<ToolServer> {
  const transport =
    'url' in server
      ? httpTransport(server)
      : new StdioClientTransport({
          ...{ command: server.command, args: [...(server.args ?? [])], cwd, stderr: 'ignore' },
          env: { ...env, ...server.env },
        })
  const session = await McpSession.open(transport)
  return { session, tools: await session.listTools() }
}

interface TaskServers extends AsyncDisposable {
  readonly reports: ToolServer
  readonly others: ReadonlyMap<string, ToolServer>
}

export async function openServers(
  { cwd, reports: access, mcpServers }: BrowserTask,
  env: Readonly<Record<string, string>>,
): Promise<TaskServers> {
  const others = new Map<string, ToolServer>()
  const reports = await openToolServer(reportServer(access), { cwd, env })
  const closeAll = async (): Promise<void> => {
    await Promise.allSettled([reports, ...others.values()].map(({ session }) => session.close()))
  }
  for (const [name, server] of Object.entries(mcpServers)) {
    try {
      others.set(name, await openToolServer(server, { cwd, env }))
    } catch (error: unknown) {
      await closeAll()
      throw unusableServer(name, error, 'AGENT_MCP_UNAVAILABLE')
    }
  }
  return { reports, others, [Symbol.asyncDispose]: closeAll }
}
