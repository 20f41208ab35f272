import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Conversation } from './conversation.ts'
import { listen } from './listen.ts'
import type { ModelAnswer } from './model-reply.ts'
import { PromptCache } from './prompt-cache.ts'
import { findWireFormat } from './wire-formats.ts'

/** What a scripted model does with one request. */
export type ModelReply =
  | ({ readonly kind: 'answer' } & ModelAnswer)
  /** An HTTP error: 401, 403, 429, 500, 529 … */
  | {
      readonly kind: 'error'
      readonly status: number
      readonly message?: string
      readonly headers?: Readonly<Record<string, string>>
      /** The whole answer, in place of an error as the providers write it. */
      readonly body?: string
    }
  /** Takes the request and never answers. */
  | { readonly kind: 'silence' }
  /** Closes the connection in the middle of the answer. */
  | { readonly kind: 'drop' }

/** A scripted model: a function of the conversation, so that it needs no memory and serves many agents at once. */
export type ModelScript = (conversation: Conversation) => ModelReply | Promise<ModelReply>

/** One model request as it came. */
export interface ModelRequest {
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  readonly bodyBytes: number
  /** Of them, how many a provider would have had in its cache. */
  readonly cachedBytes: number
  /** In milliseconds, of `performance.now`. */
  readonly atMs: number
}

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string
  /** Every model request so far, in order. */
  readonly conversations: readonly Conversation[]
  /** The same requests as they came. */
  readonly requests: readonly ModelRequest[]
  /** Every other request, as `METHOD /path`, or `CONNECT host:port` of one who took it for a proxy; there should be none. */
  readonly strays: readonly string[]
}

/** Starts a model on a free loopback port that speaks the formats of OpenAI, Azure, Anthropic and Google. */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const conversations: Conversation[] = []
  const requests: ModelRequest[] = []
  const strays: string[] = []
  const cache = new PromptCache()
  let lastId = 0
  const id = (prefix: string): string => `${prefix}_${(lastId += 1)}`
  const server = createServer((request, response) => {
    const answering = answerRequest({ script, conversations, requests, strays, cache, id }, request, response)
    answering.catch((error: unknown) => sendError(response, 500, `the script failed: ${String(error)}`))
  })
  // Else a request that comes just when an idle connection ends would be lost.
  server.keepAliveTimeout = 0
  // As a proxy it lets nobody through, but knows who tried.
  server.on('connect', (request, socket) => {
    strays.push(`${request.method} ${request.url}`)
    socket.destroy()
  })
  return { ...(await listen(server)), conversations, requests, strays }
}

interface Serving {
  readonly script: ModelScript
  readonly conversations: Conversation[]
  readonly requests: ModelRequest[]
  readonly strays: string[]
  readonly cache: PromptCache
  readonly id: (prefix: string) => string
}

async function answerRequest(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: path = '', headers } = request
  const format = findWireFormat(path.split('?')[0] ?? '')
  if (request.method !== 'POST' || format === undefined) {
    request.resume()
    serving.strays.push(`${request.method} ${path}`)
    return sendError(response, 404, 'not served here')
  }
  const text = await readText(request)
  const body = parseObject(text)
  const conversation = format.read(body)
  const bytes = { bodyBytes: Buffer.byteLength(text), cachedBytes: serving.cache.take(path, body) }
  const asked = { model: conversation.model, ...bytes, id: serving.id }
  serving.conversations.push(conversation)
  serving.requests.push({ path, headers, body, ...bytes, atMs: performance.now() })
  const reply = await serving.script(conversation)
  if (reply.kind === 'silence') return
  if (reply.kind === 'error') {
    for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
    if (reply.body !== undefined) return void response.writeHead(reply.status).end(reply.body)
    return sendError(response, reply.status, reply.message ?? `scripted ${reply.status}`)
  }
  const answer = reply.kind === 'answer' ? reply : { text: 'never finished' }
  const isStreamed = body.stream === true || format.isStreamed === true
  const lines = isStreamed ? format.events(answer, asked) : [JSON.stringify(format.message(answer, asked))]
  const type = isStreamed ? 'text/event-stream' : 'application/json'
  response.writeHead(200, { 'content-type': type, 'request-id': serving.id('req') })
  if (reply.kind === 'answer') return void response.end(lines.join(''))
  const whole = lines.length > 1 ? lines.slice(0, 2) : lines.map((line) => line.slice(0, 20))
  for (const line of whole) response.write(line)
  setImmediate(() => response.destroy())
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const type = { 401: 'authentication_error', 404: 'not_found_error', 529: 'overloaded_error' }[status] ?? 'api_error'
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' })
  // Google's has `code` and `status`, the others `type`.
  response.end(JSON.stringify({ type: 'error', error: { type, message, code: status, status: type } }))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function parseObject(text: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}
