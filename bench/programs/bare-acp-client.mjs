// The least that a client has to do: `node bare-acp-client.mjs AGENT ARGS…`, its prompt on standard input.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { Readable, Writable } from 'node:stream'
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk'

const [program, ...args] = process.argv.slice(2)
const prompt = await text(process.stdin)
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const asItIs = (params) => params
const { agent } = client({ name: 'bare' })
  .onNotification(methods.client.session.update, asItIs, () => {})
  .onRequest(methods.client.session.requestPermission, asItIs, ({ params: { options } }) => {
    const { optionId } = options.find(({ kind }) => kind === 'allow_once')
    return { outcome: { outcome: 'selected', optionId } }
  })
  .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)))
await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
const { sessionId } = await agent.request('session/new', { cwd: process.cwd(), mcpServers: [] })
await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] })
child.stdin.end()
