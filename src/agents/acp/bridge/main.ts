// An MCP server on its standard streams that hands everything on to one that is reached by HTTP, for agents that reach
// none so. Address and headers, which may be secret, are in one variable.
import { createInterface } from 'node:readline'
import { httpConnection } from '../../../mcp/http-connection.ts'
import { messageOf } from '../../../system/error-facts.ts'
import { bridgedSchema, bridgeVariable } from './bridged-server.ts'

const connection = httpConnection(bridgedSchema.parse(JSON.parse(process.env[bridgeVariable] ?? '')))
const ending = new AbortController()

createInterface({ input: process.stdin })
  .on('line', (line) => void handOn(line))
  .on('close', () => {
    ending.abort()
    void connection.close()
  })

async function handOn(line: string): Promise<void> {
  const message: { readonly id?: number | string } = JSON.parse(line)
  const { id } = message
  if (id === undefined) return connection.notify(message).catch(() => undefined)
  const answer = await connection
    .request({ ...message, id }, ending.signal)
    .catch((error: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32_603, message: messageOf(error) } }))
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
