import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readAnthropic, readOpenai } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { anthropicEvents, openaiEvents } from './model-reply.ts'
import type { ModelAnswer } from './model-reply.ts'

/** What a scripted model does with one request. */
export type ModelReply =
  | ({ readonly kind: 'answer' } & ModelAnswer)
  /** An HTTP error: 401, 403, 429, 500, 529 … */
  | { readonly kind: 'error'; readonly status: number; readonly message?: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'silence' }
  /** Closes the connection in the middle of the answer. */
  | { readonly kind: 'drop' }

/** A scripted model: a function of the conversation, so that it needs no memory and serves many agents at once. */
export type ModelScript = (conversation: Conversation) => ModelReply | Promise<ModelReply>

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string
  /** Every model request so far, in order. */
  readonly conversations: readonly Conversation[]
  /** Every other request, as `METHOD /path`, or `CONNECT host:port` of one who took it for a proxy; there should be none. */
  readonly strays: readonly string[]
}

/** Starts a model on a free loopback port that speaks Anthropic Messages and OpenAI Responses. */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const conversations: Conversation[] = []
  const strays: string[] = []
  let lastId = 0
  const id = (prefix: string): string => `${prefix}_${(lastId += 1)}`
  const server = createServer((request, response) => {
    const answering = answerRequest({ script, conversations, strays, id }, request, response)
    answering.catch((error: unknown) => sendError(response, 500, `the script failed: ${String(error)}`))
  })
  // As a proxy it lets nobody through, but knows who tried.
  server.on('connect', (request, socket) => {
    strays.push(`${request.method} ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server that listens has an AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    conversations,
    strays,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Serving {
  readonly script: ModelScript
  readonly conversations: Conversation[]
  readonly strays: string[]
  readonly id: (prefix: string) => string
}

async function answerRequest(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  const isAnthropic = path.endsWith('/messages')
  if (request.method !== 'POST' || !(isAnthropic || path.endsWith('/responses'))) {
    request.resume()
    serving.strays.push(`${request.method} ${request.url}`)
    return sendError(response, 404, 'not served here')
  }
  const body = await readJson(request)
  const conversation = isAnthropic ? readAnthropic(body) : readOpenai(body)
  serving.conversations.push(conversation)
  const reply = await serving.script(conversation)
  if (reply.kind === 'silence') return
  if (reply.kind === 'error') return sendError(response, reply.status, reply.message ?? `scripted ${reply.status}`)
  const events = (isAnthropic ? anthropicEvents : openaiEvents)(
    conversation.model,
    reply.kind === 'answer' ? reply : { text: 'never finished' },
    serving.id,
  )
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': serving.id('req') })
  for (const event of reply.kind === 'drop' ? events.slice(0, 2) : events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  if (reply.kind === 'drop') setImmediate(() => response.destroy())
  else response.end()
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const type = { 401: 'authentication_error', 404: 'not_found_error', 529: 'overloaded_error' }[status] ?? 'api_error'
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type, message } }))
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}
