// An MCP server on its standard streams, as a user may have one: a shelf in memory. Its first argument is a file of words.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const greeting = readFileSync(process.argv[2], 'utf8').trim()
if (greeting === '') process.exit(3)
const shelf = []

function callTool({ name, arguments: input }) {
  if (name === 'put') return `${greeting}: item ${shelf.push(input.thing)} is ${input.thing}`
  if (name === 'get') return `item ${input.number}: ${shelf[input.number - 1] ?? missing(input.number)}`
  if (name === 'all') return shelf.join('\n')
  if (name === 'who') return `${process.env.SHELF_OWNER} ${process.env.OUTER ?? '-'} ${process.cwd().split('/').at(-1)}`
  if (name === 'wait') return undefined
  if (name === 'die') process.exit(1)
  throw new Error(`no tool ${name}`)
}

function missing(number) {
  throw new Error(`there is no item ${number}`)
}

const answer = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const serverInfo = { name: 'shelf', version: '1' }
    answer({ id: 'ping-1', method: 'ping' })
    answer({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') {
    const tools = ['put', 'get', 'all', 'who', 'wait', 'die'].map((name) => ({ name, inputSchema: { type: 'object' } }))
    answer({ id, result: { tools } })
  } else if (method === 'tools/call') {
    try {
      const text = callTool(params)
      if (text !== undefined) answer({ id, result: { content: [{ type: 'text', text }] } })
    } catch (error) {
      answer({ id, result: { content: [{ type: 'text', text: error.message }], isError: true } })
    }
  } else if (id !== undefined && method !== undefined)
    answer({ id, error: { code: -32601, message: 'unknown method' } })
})
