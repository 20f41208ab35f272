import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { startOnLoopback } from '../protocol/channel.ts'
import type { Arrival, StepReports, Answer } from './step-reports.ts'
import { z } from 'zod'
import { stepResultSchema } from '../../records/result-log/result-log-schema.ts'

/** The MCP server to which all agents of a run report their steps: streamable HTTP, stateless, on loopback. */
export interface ReportServer {
  open(stepReports: StepReports, addTools?: AddTools): ReportEndpoint
  close(): Promise<void>
}

type AddTools = (server: McpServer) => void

export interface ReportEndpoint {
  readonly url: string
  readonly token: string
  close(): void
}

/** Enough for reports, which are short texts and cite screenshots by file name. */
const maxBodyBytes = 1024 * 1024
const path = '/mcp'

export async function startReportServer(): Promise<ReportServer> {
  const scenarios = new Map<string, ServedScenario>()
  const server = createServer((request, response) => {
    answerTo(request, scenarios)
      .catch(() => new Response(undefined, { status: 500 }))
      .then((answered) => send(answered, response))
      // The agent disconnected before the answer was sent.
      .catch(() => response.destroy())
  })
  // Never end an idle connection: a report that is sent at that moment would be lost.
  server.keepAliveTimeout = 0
  const port = await startOnLoopback(server)
  return {
    open(stepReports, addTools) {
      const token = randomBytes(32).toString('hex')
      scenarios.set(token, { stepReports, addTools })
      return { url: `http://127.0.0.1:${port}${path}`, token, close: () => void scenarios.delete(token) }
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

interface ServedScenario {
  readonly stepReports: StepReports
  readonly addTools: AddTools | undefined
}

async function answerTo(incoming: IncomingMessage, scenarios: ReadonlyMap<string, ServedScenario>): Promise<Response> {
  const arrival: Arrival = { atMs: performance.now(), port: incoming.socket.remotePort }
  const request = toRequest(incoming)
  const foreign =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins())
  if (foreign) return foreign
  const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const scenario = scenarios.get(token)
  if (scenario === undefined) return deny(401, 'The bearer token is not valid, or its scenario has ended.')
  if (new URL(request.url).pathname !== path) return deny(404, `The server is at ${path}.`)
  const body = await readBody(incoming)
  if (body === undefined) return deny(413, `A report has at most ${maxBodyBytes} bytes. Put long output into a file.`)
  const handler = createMcpHandler(() => createTools(scenario, arrival), { maxRequestBodySize: maxBodyBytes })
  const content = body.length === 0 || request.method !== 'POST' ? {} : { body: new Uint8Array(body) }
  return handler.fetch(new Request(request, content))
}

function toRequest({ method = 'GET', url = '/', headers, socket }: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const { localPort } = socket
  return new Request(`http://127.0.0.1:${localPort}${url}`, { method, headers: pairs })
}

/** Reads the whole body, even a too long one (`undefined`). A client that still sends could miss an early answer. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) chunks.push(chunk)
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(chunks)
}

function deny(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }, { status })
}

async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  for await (const chunk of answered.body ?? []) response.write(chunk)
  response.end()
}

const reportSchema = stepResultSchema
  .omit({ id: true })
  .extend({ step: z.string().describe('Id of the step, as the prompt lists it') })

function createTools({ stepReports, addTools }: ServedScenario, arrival: Arrival): McpServer {
  const server = new McpServer({ name: 'mdtest', version: '1' })
  addTool(server, {
    name: 'report_step',
    description:
      'Report one step of the test right after you tried it, in the order of the steps, once. The answer says what to do next. `observed`: what you saw, in one sentence. `evidence`: quotes, to the letter, of whole lines that the product printed for this step, its exit code ("Exit code 0") too ({ "quote": "…" }; for an earlier step, with its id: { "quote": "…", "step": "…" }), or names of files in the evidence folder. `checks`: one entry for each check (`- [ ]` item) of the step, by its number `n`, each with `evidence` of its own: a check without a quote counts as not proved.',
    inputSchema: reportSchema,
    call: ({ step, ...result }) => stepReports.report({ id: step, ...result }, arrival),
  })
  addTool(server, {
    name: 'next_step',
    description: 'Ask what comes next, when the answer to a report said that mdtest is still checking.',
    inputSchema: z.object({}),
    call: () => stepReports.next(arrival),
  })
  addTools?.(server)
  return server
}

interface Tool<Input> {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: StandardSchemaWithJSON<unknown, Input>
  call(input: Input): Promise<Answer>
}

export function addTool<Input>(server: McpServer, tool: Tool<Input>): void {
  const { name, description, inputSchema, call } = tool
  const described = description !== undefined && { description }
  server.registerTool(name, { ...described, inputSchema, annotations, _meta }, async (input) => {
    const { text, parts = [{ type: 'text', text }], isError } = await call(input)
    return { content: [...parts], isError }
  })
}

/** With these hints neither Claude Code nor Codex asks the user before it calls a tool. */
const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
/** Without this entry, Claude Code hides tools of MCP servers behind a search tool. */
const _meta = { 'anthropic/alwaysLoad': true }
