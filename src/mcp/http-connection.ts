import type { McpServer } from '../spec/front-matter/mcp-servers.ts'
import type { McpConnection, RpcMessage } from './mcp-session.ts'
import { limitTime } from '../system/limit-time.ts'

/** A server that is reached by streamable HTTP. */
export function httpConnection({ url, headers = {} }: Extract<McpServer, { url: string }>): McpConnection {
  let sessionId: string | undefined
  let version: string | undefined
  const send = async (method: 'POST' | 'DELETE', message?: object, signal?: AbortSignal): Promise<Response> => {
    return fetch(url, {
      method,
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
        ...(version !== undefined && { 'mcp-protocol-version': version }),
      },
      ...(message && { body: JSON.stringify(message) }),
      ...(signal && { signal }),
    })
  }
  return {
    async request(message, signal) {
      const response = await send('POST', message, signal)
      const text = await response.text()
      const answer = messagesIn(text, response.headers.get('content-type') ?? '').find(({ id }) => id === message.id)
      if (answer === undefined) throw new Error(`it answered ${response.status}: ${text.slice(0, 200)}`)
      sessionId ??= response.headers.get('mcp-session-id') ?? undefined
      version ??= versionIn(answer)
      return answer
    },
    async notify(message) {
      const response = await send('POST', message)
      await response.body?.cancel()
    },
    async close() {
      if (sessionId === undefined) return
      using limit = limitTime(1000)
      const response = await send('DELETE', undefined, limit.signal).catch(() => undefined)
      await response?.body?.cancel()
    },
  }
}

function messagesIn(text: string, type: string): readonly RpcMessage[] {
  const texts = type.includes('event-stream')
    ? text.split(/\r?\n\r?\n/).map((event) =>
        event
          .split(/\r?\n/)
          .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
          .join('\n'),
      )
    : [text]
  return texts.flatMap((one) => {
    try {
      const found: unknown = JSON.parse(one)
      return (Array.isArray(found) ? found : [found]) as readonly RpcMessage[] // looked at by its id
    } catch {
      return []
    }
  })
}

/** What both agreed on. */
function versionIn({ result }: RpcMessage): string | undefined {
  if (typeof result !== 'object' || result === null || !('protocolVersion' in result)) return undefined
  return typeof result.protocolVersion === 'string' ? result.protocolVersion : undefined
}
