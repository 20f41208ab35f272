// An agent that speaks ACP and does what real ones do not do on demand. Its first argument names a file of JSON: `updates` of
// the session that it sends in a prompt, and `later` those after its answer; `asks` for which it asks permission; `calls` of
// methods of its client; `answer` to the prompt; `ends` where it dies (a method, or the number of an update); `silent`: a method
// that it never answers: it writes `silent`, with its id; `version`: of the protocol; `padBytes`: length of the output of one
// more call; `isStubborn`: it ends by no signal and no end of its input; `takesNoServers`: it opens no session with servers;
// `prose`: what it prints before its first message, without a line end, `warning`: the same on stderr, `behind`: what it prints behind each message; `tellsPlace`: it says how many servers it got, and how its prompt ended.
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const {
  updates = [],
  asks = [],
  answer = { stopReason: 'end_turn' },
  ends,
  silent,
  version = 1,
  later = [],
  calls = [],
  padBytes = 0,
  isStubborn = false,
  takesNoServers = false,
  tellsPlace = false,
  prose = '',
  warning = '',
  behind = '',
} = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}${behind}\n`)
const update = (params) => send({ method: 'session/update', params: { sessionId: 's1', update: params } })
if (isStubborn) {
  process.on('SIGTERM', () => undefined)
  setInterval(() => undefined, 1000)
}
process.stdout.write(prose)
process.stderr.write(warning)
const replies = new Map()
// Nobody reads the rest of what is too long.
process.stdout.on('error', () => process.exit(1))
let prompts = 0
let servers = []

async function ask(toolCall, id) {
  const options = ['allow_once', 'reject_once'].map((kind) => ({ optionId: kind, kind, name: kind }))
  const reply = new Promise((resolve) => replies.set(id, resolve))
  send({ id, method: 'session/request_permission', params: { sessionId: 's1', toolCall, options } })
  return reply
}

const results = {
  initialize: () => ({ protocolVersion: version, agentCapabilities: {} }),
  'session/new': (params) => {
    servers = params.mcpServers
    return { sessionId: 's1' }
  },
  'session/prompt': work,
}

async function work({ prompt }) {
  prompts += 1
  if (prompts > 1) {
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `told: ${prompt[0].text}` } })
    return answer
  }
  if (tellsPlace) {
    const text = `${servers.length} servers. ${prompt[0].text.split('\n').at(-1)}`
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  }
  updates.forEach((one, index) => {
    if (ends === index) process.exit(7)
    update(one)
  })
  if (padBytes > 0) {
    const rawOutput = { output: 'x'.repeat(padBytes), metadata: { exit: 0 } }
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'pad',
      kind: 'execute',
      title: 'yes',
      status: 'completed',
      rawOutput,
    })
  }
  for (const [index, [method, params]] of calls.entries()) {
    const reply = new Promise((resolve) => replies.set(`call-${index}`, resolve))
    send({ id: `call-${index}`, method, params })
    const { code } = await reply
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${method}: ${code}. ` } })
  }
  for (const [index, one] of asks.entries()) {
    const { outcome } = await ask(one, `ask-${index}`)
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `answer: ${outcome.optionId}. ` } })
  }
  return answer
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === undefined) return replies.get(id)?.(result ?? error)
  if (method === ends) process.exit(7)
  if (method === silent) writeFileSync('silent', String(process.pid))
  if (id === undefined || method === silent) return
  if (method === 'session/new' && takesNoServers && params.mcpServers.length > 0)
    return send({ id, error: { code: -32602, message: 'No servers' } })
  send({ id, result: await results[method](params) })
  if (method === 'session/prompt') for (const one of later) update(one)
})
