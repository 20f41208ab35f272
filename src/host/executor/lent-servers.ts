import { createHash } from 'node:crypto'
import type { ActivityKind } from '../../agents/agent.ts'
import type { McpServer, McpServers } from '../../spec/front-matter/front-matter.ts'
import { browserServer, isBrowserTool } from '../../agents/browser/playwright-package.ts'
import { ownTools } from '../../agents/report-access.ts'
import type { McpSession, ProgramPlace, ServerTool, ToolOutput } from '../../mcp/mcp-session.ts'
import { ToolTimeout, unusableServer } from '../../mcp/server-failures.ts'
import { messageOf } from '../../system/error-facts.ts'
import { holdTree, type TreeHold } from '../../system/process/trees/hold-tree.ts'
import type { Answer } from '../agent-reports/step-reports.ts'
import { withinWait, told, type ActingContext, shownOutput } from './executor-answer.ts'

export interface OfferedTool extends ServerTool {
  readonly offeredName: string
  readonly server: string
  readonly session: McpSession
  readonly kind: Extract<ActivityKind, 'browser' | 'mcp'>
}

export interface LentServers {
  readonly tools: readonly OfferedTool[]
  hold(): Promise<readonly string[]>
  release(): void
  close(): Promise<void>
}

/** Starts all servers or connects to them. If one fails, ends all. @throws {MdtestError} that names this server */
export async function openServers(
  servers: McpServers,
  { signal, ...place }: ProgramPlace & { readonly signal: AbortSignal },
): Promise<LentServers> {
  const holds = new Map<number, TreeHold>()
  const sessions: McpSession[] = []
  const failed = new AbortController()
  const over = AbortSignal.any([signal, failed.signal])
  const watched: ProgramPlace = {
    ...place,
    onStart(tree) {
      place.onStart(tree)
      // Do not wait for shell jobs: the children of a server are helpers, such as Chromium's crash handler.
      holds.set(tree.pid, holdTree({ root: tree, mark: tree.mark, jobsMs: 0 }))
    },
    onEnd(pid) {
      holds.delete(pid)
      place.onEnd(pid)
    },
  }
  const openServer = async ([name, server]: readonly [string, McpServer]): Promise<readonly OfferedTool[]> => {
    try {
      // Imported late, because most specs have no server.
      const { openSession } = await import('../../mcp/mcp-session.ts')
      const session = await openSession(server, watched, over)
      sessions.push(session)
      return (await session.listTools(over)).map((tool) => offer(tool, name, session))
    } catch (error: unknown) {
      // Stop starting the other servers. Only the first error is reported.
      failed.abort(
        unusableServer(name, error, name === browserServer ? 'AGENT_BROWSER_UNAVAILABLE' : 'AGENT_MCP_UNAVAILABLE'),
      )
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
  const tools = await Promise.all(Object.entries(servers).map(openServer))
  if (failed.signal.aborted) {
    await close()
    throw failed.signal.reason
  }
  return {
    tools: withUniqueNames(tools.flat()),
    async hold() {
      return (await Promise.all([...holds.values()].map((hold) => hold.stop()))).flat()
    },
    release() {
      for (const hold of holds.values()) hold.resume()
    },
    close,
  }
}

function offer(tool: ServerTool, server: string, session: McpSession): OfferedTool {
  const isPlain = server === browserServer && isBrowserTool(tool.name)
  // Browser tools may repeat their arguments. With the kind `browser`, mdtest removes these words from the output.
  const kind = /playwright|chrome|browser/i.test(server) ? 'browser' : 'mcp'
  return { ...tool, server, session, kind, offeredName: isPlain ? tool.name : `${server}__${tool.name}` }
}

/** Tool names have at most 64 characters, including the prefix that Claude Code adds. */
const maxNameLength = 64 - ownTools.length

function withUniqueNames(tools: readonly OfferedTool[]): readonly OfferedTool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    const plain = tool.offeredName.replaceAll(/[^\w-]/g, '_')
    const isPlain = plain.length <= maxNameLength && !taken.has(plain)
    const hash = createHash('sha256').update(tool.offeredName).digest('hex').slice(0, 8)
    const offeredName = isPlain ? plain : `${plain.slice(0, maxNameLength - 9)}_${hash}`
    taken.add(offeredName)
    return { ...tool, offeredName }
  })
}

type Input = Readonly<Record<string, unknown>>

interface StartedCall {
  readonly id: string
  readonly name: string
  readonly ended: Promise<ToolOutput>
}

const maxCalls = 20

export class ServerCalls {
  readonly #context: ActingContext
  readonly #whenChecked: () => Promise<void>
  readonly #calls = new Map<string, StartedCall>()
  readonly #over = new AbortController()
  #running = 0
  #count = 0

  constructor(context: ActingContext, whenChecked: () => Promise<void>) {
    this.#context = context
    this.#whenChecked = whenChecked
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  call(tool: OfferedTool, input: Input): Promise<Answer> {
    const { cwd, onEvent } = this.#context
    const { kind, offeredName, server } = tool
    this.#count += 1
    const id = `t${this.#count}`
    const name = kind === 'browser' && offeredName === tool.name ? tool.name : `mcp__${server}__${tool.name}`
    const title = `${name} ${JSON.stringify(input)}`
    onEvent({ type: 'tool-call', id, kind, tool: name, title, files: [], input, directory: cwd })
    this.#running += 1
    const ended = this.#resultOf(id, tool, input).finally(() => (this.#running -= 1))
    const started = { id, name: offeredName, ended }
    this.#calls.set(id, started)
    for (const old of [...this.#calls.keys()].slice(0, -maxCalls)) this.#calls.delete(old)
    return this.#answer(started)
  }

  async nextOutput({ id }: { readonly id: string }): Promise<Answer | undefined> {
    const found = this.#calls.get(id)
    return found === undefined ? undefined : this.#answer(found)
  }

  end(): void {
    this.#over.abort()
  }

  async #resultOf(id: string, tool: OfferedTool, input: Input): Promise<ToolOutput> {
    const { timeoutMs, onEvent, onDone } = this.#context
    const { server, name, offeredName, session } = tool
    const { signal } = this.#over
    const answer = await this.#whenChecked()
      .then(() => session.call({ tool: name, input, timeoutMs, signal }))
      .catch((error: unknown) => ({ error }))
    if (!('error' in answer)) {
      const { text, isError } = answer
      onEvent({ type: 'tool-result', id, isError, output: text })
      onDone({ kind: 'mcp', server, tool: name, input, output: text, isError })
      return answer
    }
    const text =
      answer.error instanceof ToolTimeout
        ? `\`${offeredName}\` was given up after ${timeoutMs} ms.`
        : `The MCP server \`${server}\` cannot be used: ${messageOf(answer.error)}.`
    // `text` is by mdtest, not by the product. An empty output cannot be quoted.
    onEvent({ type: 'tool-result', id, isError: true, output: '' })
    onDone({ kind: 'unfinished', command: offeredName })
    return { text, parts: [{ type: 'text', text }], isError: true }
  }

  async #answer({ id, name, ended }: StartedCall): Promise<Answer> {
    const result = await withinWait(ended)
    if (result === undefined) return told(`\`${name}\` has not answered yet: wait with next_output {"id": "${id}"}.`)
    const { text, parts, isError } = result
    const shown = shownOutput(text, id, this.#context.scratchDir)
    if (shown === text.replace(/\n$/, '')) return result
    const others = parts.filter(({ type }) => type !== 'text')
    return { text: shown, parts: [{ type: 'text', text: shown }, ...others], isError }
  }
}
