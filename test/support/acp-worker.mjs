// A small agent that speaks ACP and does honest work: it asks before it runs a command, reports by mdtest's tools, and ends. Words
// after its name: `stdio`, it reaches no MCP server by HTTP; `alone`, it opens no session with servers, and writes the result log.
// It takes what it does from `work.json` in its directory: commands, each with what it reports.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const isStdio = process.argv.includes('stdio')
const isAlone = process.argv.includes('alone')
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (params) => send({ method: 'session/update', params: { sessionId: 's1', update: params } })
const replies = new Map()
let mcp
let cwd

async function connect([server]) {
  if (server === undefined) return
  mcp = new Client({ name: 'worker', version: '1' })
  const pairs = (list) => Object.fromEntries(list.map(({ name, value }) => [name, value]))
  if ('url' in server && isStdio) throw new Error('It was told that it cannot.')
  await mcp.connect(
    'url' in server
      ? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: pairs(server.headers) } })
      : new StdioClientTransport({
          command: server.command,
          args: server.args,
          env: { ...process.env, ...pairs(server.env) },
        }),
  )
  await mcp.listTools()
}

function ask(toolCall) {
  const options = ['allow_once', 'reject_once'].map((kind) => ({ optionId: kind, kind, name: kind }))
  const id = `ask-${toolCall.toolCallId}`
  send({ id, method: 'session/request_permission', params: { sessionId: 's1', toolCall, options } })
  return new Promise((resolve) => replies.set(id, resolve))
}

async function run(command, toolCallId) {
  const call = { toolCallId, kind: 'execute', title: command, rawInput: { command } }
  update({ sessionUpdate: 'tool_call', status: 'pending', ...call })
  const { outcome } = await ask({ status: 'pending', ...call })
  if (outcome.optionId !== 'allow_once')
    return update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed', rawOutput: 'refused' })
  await new Promise((resolve) =>
    execFile('sh', ['-c', command], { cwd }, (error, output) => {
      const rawOutput = { output, exitCode: error?.code ?? 0 }
      update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput })
      resolve()
    }),
  )
}

async function tell(report, toolCallId) {
  update({ sessionUpdate: 'tool_call', toolCallId, status: 'pending', title: 'mdtest_report_step', rawInput: report })
  const { content } = (await mcp?.callTool({ name: 'report_step', arguments: report })) ?? {}
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
    rawOutput: { output: content?.[0]?.text },
  })
}

function writeLog(prompt, reports) {
  const told = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(prompt)?.[1] ?? ''
  const status = reports.every((report) => report.status === 'pass') ? 'pass' : 'fail'
  const steps = reports.map(({ step, ...report }) => ({ id: step, ...report }))
  // JSON is YAML.
  const head = { status, run: told('Run id'), steps }
  if (prompt.includes('Only if you have no tool `report_step`'))
    writeFileSync(told('Result log'), `---\n${JSON.stringify(head)}\n---\n`)
}

const results = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: !isStdio } } }),
  async 'session/new'(params) {
    cwd = params.cwd
    if (isAlone && params.mcpServers.length > 0)
      throw Object.assign(new Error('It takes no servers.'), { code: -32602 })
    await connect(params.mcpServers)
    return { sessionId: 's1' }
  },
  async 'session/prompt'({ prompt: [{ text }] }) {
    const works = JSON.parse(readFileSync(`${cwd}/work.json`, 'utf8'))
    for (const [index, { command, report }] of works.entries()) {
      if (command !== undefined) await run(command, `c${index}`)
      if (!isAlone && report !== undefined) await tell(report, `r${index}`)
    }
    const reports = works.map(({ report }) => report)
    if (isAlone) writeLog(text, reports)
    return { stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 2 } }
  },
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params, result } = JSON.parse(line)
    if (method === undefined) return replies.get(id)?.(result)
    if (id === undefined) return
    try {
      send({ id, result: await results[method](params) })
    } catch (error) {
      send({ id, error: { code: error.code ?? -32603, message: error.message } })
    }
  })
  .on('close', async () => {
    await mcp?.close()
    process.exit(0)
  })
