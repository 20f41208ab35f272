// A minimal ACP client: `node bare-acp-client.mjs AGENT ARGS…`. It reads JSON from standard input: `prompt`, and the
// `url` and `token` of mdtest's MCP server. It sends the prompt 1 s after the session is open.
import { spawn } from 'node:child_process'
import { json } from 'node:stream/consumers'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk'

const [program, ...args] = process.argv.slice(2)
const { prompt, url, token } = await json(process.stdin)
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
const authorization = `Bearer ${token}`
const server = { type: 'http', name: 'mdtest', url, headers: [{ name: 'Authorization', value: authorization }] }
const { sessionId } = await agent.request('session/new', { cwd: process.cwd(), mcpServers: [server] })
await sleep(1_000)
await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] })
child.stdin.end()
