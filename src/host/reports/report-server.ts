import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { StepReports } from './step-reports.ts'
import { createReportTools } from './report-tools.ts'

/** The MCP server to which agents report their steps, one for a whole run: streamable HTTP, stateless, on loopback. */
export interface ReportServer {
  /** Lets one scenario in. */
  open(stepReports: StepReports): ReportEndpoint
  close(): Promise<void>
}

/** Where one scenario reports. */
export interface ReportEndpoint {
  readonly url: string
  /** Bearer token of this scenario alone. */
  readonly token: string
  /** From here on the token is void. */
  close(): void
}

/** Reports are short texts; screenshots are cited by their file's name. */
const maxBodyBytes = 1024 * 1024
const path = '/mcp'

/** Starts listening on 127.0.0.1, on any free port. It does not keep the process alive. */
export async function startReportServer(): Promise<ReportServer> {
  const reportsByToken = new Map<string, StepReports>()
  const server = createServer((request, response) => {
    answer(request, reportsByToken)
      .catch(() => new Response(undefined, { status: 500 }))
      .then((answered) => send(answered, response))
      // The agent went away in the middle of it.
      .catch(() => response.destroy())
  })
  server.unref()
  await listen(server)
  // A TCP server has an `AddressInfo`; a string is for pipes only.
  const { port } = server.address() as AddressInfo // narrowed by the reason above
  return {
    open(stepReports) {
      const token = randomBytes(32).toString('hex')
      reportsByToken.set(token, stepReports)
      return { url: `http://127.0.0.1:${port}${path}`, token, close: () => void reportsByToken.delete(token) }
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
}

async function answer(incoming: IncomingMessage, reportsByToken: ReadonlyMap<string, StepReports>): Promise<Response> {
  const request = toRequest(incoming)
  const foreign =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins())
  if (foreign) return foreign
  const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const stepReports = reportsByToken.get(token)
  if (stepReports === undefined) return refuse(401, 'The bearer token is not valid, or its scenario has ended.')
  if (new URL(request.url).pathname !== path) return refuse(404, `The server is at ${path}.`)
  const body = await readBody(incoming)
  if (body === undefined) return refuse(413, `A report has at most ${maxBodyBytes} bytes. Put long output into a file.`)
  const handler = createMcpHandler(() => createReportTools(stepReports), { maxRequestBodySize: maxBodyBytes })
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

/** Nothing where it is too long. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Left alone on the way out: the answer goes over the same socket.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refuse(status: number, message: string): Response {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } }
  return Response.json(error, { status })
}

async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  for await (const chunk of answered.body ?? []) response.write(chunk)
  response.end()
}
