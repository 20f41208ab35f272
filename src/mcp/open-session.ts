import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { McpServer } from '../spec/front-matter/mcp-servers.ts'
import { McpSession } from './mcp-session.ts'
import { programTransport } from './program-transport.ts'
import type { ProgramPlace } from './tool-call.ts'

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
