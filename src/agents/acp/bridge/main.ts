// A stdio MCP server that forwards all messages to an HTTP MCP server, for agents that support stdio servers only. It
// reads URL and headers from a variable, because they may be secret.
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { createInterface } from 'node:readline'
import { httpTransport } from '../../../mcp/mcp-session.ts'
import { messageOf } from '../../../system/error-facts.ts'
import { bridgedSchema, bridgeVariable } from '../program/mcp-servers.ts'

const server = httpTransport(bridgedSchema.parse(JSON.parse(process.env[bridgeVariable] ?? '')))
const sendBack = (message: JSONRPCMessage): void => void process.stdout.write(`${JSON.stringify(message)}\n`)
server.onmessage = (message) => {
  const { protocolVersion } = 'result' in message ? message.result : {}
  // HTTP requests after the first one must name the protocol version in a header.
  if (typeof protocolVersion === 'string') server.setProtocolVersion(protocolVersion)
  sendBack(message)
}
await server.start()

createInterface({ input: process.stdin })
  .on('line', (line) => void forward(JSON.parse(line)))
  .on('close', () => void end())

async function end(): Promise<void> {
  await server.terminateSession().catch(() => undefined)
  await server.close()
}

async function forward(message: JSONRPCMessage): Promise<void> {
  await server.send(message).catch((error: unknown) => {
    if (!isJSONRPCRequest(message)) return
    sendBack({ jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: messageOf(error) } })
  })
}
