// mdtest's browser server as a stdio MCP server, for third-party agents. The browser ends with this program.
import { readFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { messageOf } from '../../../system/error-facts.ts'
import { refuseDebugger, version } from '../../../system/mdtest-package.ts'
import type { BrowserPlace } from '../browser-settings.ts'
import { BrowserServer } from './browser-server.ts'
import { textOutput } from './user-browser.ts'

refuseDebugger()
const place = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BrowserPlace // mdtest wrote the file
const browser = new BrowserServer(place, process.env)
const server = new Server({ name: 'mdtest-browser', version: version() }, { capabilities: { tools: {} } })
server.setRequestHandler('tools/list', () => ({
  tools: browser.tools.map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema, type: 'object' } })),
}))
/** The last call. Each call waits for the previous call, because there is one page. */
let last: Promise<unknown> = Promise.resolve()
server.setRequestHandler('tools/call', ({ params: { name, arguments: input = {} } }, { mcpReq: { signal } }) => {
  const called = last.then(async () => {
    const calling = browser.call(name, input, signal)
    const { text, parts, isError } = await calling.catch((error: unknown) => textOutput(messageOf(error), true))
    return { content: [{ type: 'text' as const, text }, ...parts.filter(({ type }) => type !== 'text')], isError }
  })
  last = called
  return called
})

const closingMs = 3_000
function end(): void {
  // A browser paused by SIGSTOP cannot close. It ends when this process is killed, because its pipe breaks.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), closingMs).unref()
  void browser.close().finally(() => process.stdin.destroy())
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
process.stdin.once('end', end)
await server.connect(new StdioServerTransport())
