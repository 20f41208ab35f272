// An MCP server on its standard streams that gives more than text, and lists its tools in two pages.
import { createInterface } from 'node:readline'

const parts = [
  { type: 'text', text: 'The page:' },
  { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  { type: 'resource', resource: { uri: 'a:b', text: 'of a resource' } },
  { type: 'resource_link', uri: 'file:///x.txt', name: 'x' },
]
const number = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] }
const long = 'a-very-long-name.that-no-command-line-interface-takes'
const pages = [
  [{ name: 'look', inputSchema: { type: 'object' } }],
  [
    { name: 'lines', description: 'So many lines.', inputSchema: number },
    ...['/1', '/2'].map((end) => ({ name: long + end, inputSchema: { type: 'object' } })),
  ],
]
const answers = {
  look: () => ({ content: parts }),
  lines: ({ n }) => ({
    content: [{ type: 'text', text: Array.from({ length: n }, (_, at) => `line ${at + 1}`).join('\n') }],
  }),
  [`${long}/2`]: () => ({ structuredContent: { two: 2 }, content: [] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result =
    method === 'initialize'
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'odd', version: '1' },
        }
      : method === 'tools/list'
        ? { tools: pages[params?.cursor === 'more' ? 1 : 0], ...(params?.cursor !== 'more' && { nextCursor: 'more' }) }
        : answers[params.name](params.arguments)
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})
