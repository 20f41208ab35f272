import type { McpServer } from '../spec/front-matter/mcp-servers.ts'
import { httpConnection } from './http-connection.ts'
import { McpSession } from './mcp-session.ts'
import { programConnection, type ProgramPlace } from './program-connection.ts'

/**
 * Starts a server, or connects to one, and begins the conversation with it.
 *
 * @throws Error where it cannot be used; its program has ended then
 */
export async function openSession(server: McpServer, place: ProgramPlace, signal: AbortSignal): Promise<McpSession> {
  const connection = 'url' in server ? httpConnection(server) : await programConnection(server, place)
  try {
    return await McpSession.open(connection, signal)
  } catch (error: unknown) {
    await connection.close()
    throw error
  }
}
