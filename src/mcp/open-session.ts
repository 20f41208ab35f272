import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch } from '../system/process/launcher/launch.ts'
import { killTree } from '../system/process/trees/kill-trees.ts'
import { withMarks } from '../system/process/trees/marks.ts'
import {
  StreamableHTTPClientTransport,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import type { McpServer } from '../spec/front-matter/front-matter.ts'
import { McpSession } from './mcp-session.ts'
import type { ProgramPlace } from './tool-call.ts'
import { readLines } from '../system/process/read-output.ts'

/**
 * Starts a server, or connects to one, and begins the conversation with it.
 *
 * @throws Error where it cannot be used; its program has ended then
 */
export async function openSession(server: McpServer, place: ProgramPlace, signal: AbortSignal): Promise<McpSession> {
  const transport = 'url' in server ? httpTransport(server) : await programTransport(server, place)
  return McpSession.open(transport, { signal })
}

/** The way to a server that is reached by streamable HTTP. */
export function httpTransport({
  url,
  headers = {},
}: Pick<Extract<McpServer, { url: string }>, 'url' | 'headers'>): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

/** For a server to end by itself, in milliseconds. */
const endingMs = 500

/**
 * Starts a program that speaks MCP on its standard streams. To close the transport ends it with all that it started.
 * @throws Error where it cannot be started
 */
async function programTransport(
  { command, args = [], env = {} }: Extract<McpServer, { command: string }>,
  place: ProgramPlace,
): Promise<Transport> {
  const mark = randomUUID()
  const program = {
    argv: [command, ...args] as const, // never empty
    cwd: place.cwd,
    env: withMarks({ ...place.env, ...env }, [place.runMark, mark]),
  }
  const { pid, startTime, pipes, ended, unref } = await launch(place.launcher, program, [0, 1])
  unref()
  place.onStart({ pid, startTime, mark })
  const [input, output] = pipes
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    input.end()
    await Promise.race([ended.catch(() => undefined), sleep(endingMs, undefined, { ref: false })])
    await killTree({ pid, mark, graceMs: 0 })
    place.onEnd(pid)
    for (const pipe of pipes) pipe.destroy()
  }
  const transport: Transport = {
    async start() {
      output.on('close', () => transport.onclose?.())
      readLines(output, (line) => {
        try {
          transport.onmessage?.(parseJSONRPCMessage(JSON.parse(line)))
        } catch {
          // What some servers print besides.
        }
      })
    },
    async send(message) {
      input.write(serializeMessage(message))
    },
    close: () => (closing ??= end()),
  }
  return transport
}
