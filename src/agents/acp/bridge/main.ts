// An MCP server on its standard streams that hands everything on to one that is reached by HTTP, for agents that reach
// none so. Address and headers, which may be secret, are in one variable.
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { createInterface } from 'node:readline'
import { httpTransport } from '../../../mcp/mcp-session.ts'
import { messageOf } from '../../../system/error-facts.ts'
import { bridgedSchema, bridgeVariable } from '../program/acp-servers.ts'

const server = httpTransport(bridgedSchema.parse(JSON.parse(process.env[bridgeVariable] ?? '')))
const answer = (message: JSONRPCMessage): void => void process.stdout.write(`${JSON.stringify(message)}\n`)
server.onmessage = (message) => {
  const { protocolVersion } = 'result' in message ? message.result : {}
  // It is in a header of all that follows.
  if (typeof protocolVersion === 'string') server.setProtocolVersion(protocolVersion)
  answer(message)
}
await server.start()

createInterface({ input: process.stdin })
  .on('line', (line) => void handOn(JSON.parse(line)))
  .on('close', () => void end())

async function end(): Promise<void> {
  await server.terminateSession().catch(() => undefined)
  await server.close()
}

async function handOn(message: JSONRPCMessage): Promise<void> {
  await server.send(message).catch((error: unknown) => {
    if (!isJSONRPCRequest(message)) return
    answer({ jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: messageOf(error) } })
  })
}
