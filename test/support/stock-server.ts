import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { listen } from './listen.ts'

/** An MCP server as a user may have one, on 127.0.0.1. */
export interface StockServer extends AsyncDisposable {
  readonly url: string
  /** What was counted, with the header `authorization` that each call came with. */
  readonly calls: readonly string[]
}

/** Its one tool `count` also says whom it was called by, as a careless server would; `await using` ends it. */
export async function startStockServer(counts: Readonly<Record<string, number>>): Promise<StockServer> {
  const calls: string[] = []
  const server = createServer(async (incoming, response) => {
    const caller = incoming.headers.authorization ?? 'nobody'
    const handler = createMcpHandler(() => {
      const mcp = new McpServer({ name: 'stock', version: '1' })
      mcp.registerTool('count', { inputSchema: z.object({ product: z.string() }) }, ({ product }) => {
        calls.push(`${product} by ${caller}`)
        const line = `In stock: ${counts[product]} of ${product}, said to ${caller}`
        return { content: [{ type: 'text', text: line }] }
      })
      return mcp
    })
    const answered = await handler.fetch(await toRequest(incoming))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.end(await answered.text())
  })
  const listening = await listen(server)
  return { ...listening, url: `${listening.url}/mcp`, calls }
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url, headers } = incoming
  const body = await text(incoming)
  const pairs = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.fromEntries(pairs),
    ...(body !== '' && { body }),
  })
}
