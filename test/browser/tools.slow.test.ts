import { InMemoryTransport } from '@modelcontextprotocol/client'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { browserTools } from '../../src/agents/browser/browser-tools.ts'
import { playwrightMcp } from '../../src/agents/browser/playwright-package.ts'
import { McpSession } from '../../src/mcp/mcp-session.ts'
import { skipReason } from '../support/browser-project.ts'
import { act, ends, onlyStep, providerNames, replies, useBrowserAgent } from '../support/browser-agent.ts'
import { listen } from '../support/listen.ts'
import type { ModelReply } from '../support/model-server.ts'
import { startOddPages } from '../support/odd-pages.ts'

const report = act('report_step', { step: onlyStep, status: 'pass' })

const maxToolBytes = 8_000

describe.skipIf(skipReason !== '')(`tools of the agent \`browser\`${skipReason}`, () => {
  const agent = useBrowserAgent()

  test.each(providerNames)(
    '%s: tools are short, and what was sent before is cached and told apart',
    async (provider) => {
      await using pages = await startOddPages()
      const open = act('browser_navigate', { url: '/names' })
      const script = replies(
        open,
        ...Array.from({ length: 5 }, () => act('browser_find', { text: 'Order' })),
        report,
        ends,
      )
      const { requests, events, error } = await agent.work({ provider, baseUrl: `${pages.url}/`, script })
      expect(error).toBeUndefined()
      const toolBytes = requests.map(({ body }) => Buffer.byteLength(JSON.stringify(body.tools)))
      expect(Math.max(...toolBytes)).toBeLessThanOrEqual(maxToolBytes)
      expect(JSON.stringify(requests[0]?.body).includes('"cache_control"')).toBe(provider === 'anthropic')
      const usage = events.findLast(({ type }) => type === 'usage')
      if (usage?.type !== 'usage') throw new Error('no usage')
      expect(usage.cachedInputTokens).toBeGreaterThan(usage.inputTokens / 2)
      // All but the first is a beginning that was sent before, and little more.
      for (const { bodyBytes, cachedBytes } of requests.slice(2)) expect(bodyBytes - cachedBytes).toBeLessThan(6_000)
    },
  )

  test('the tools are those of the server, with its names, arguments and requirements', async () => {
    const own = new Set(['element', 'scale', 'level', 'static', 'startElement', 'endElement'])
    const argumentsOf = (
      schema: Readonly<Record<string, unknown>>,
      key: 'properties' | 'required',
    ): readonly string[] => {
      const value = schema[key] ?? []
      return (Array.isArray(value) ? value : Object.keys(value))
        .map(String)
        .filter((name) => !own.has(name))
        .toSorted()
    }
    const [client, server] = InMemoryTransport.createLinkedPair()
    const connection = await playwrightMcp().createConnection({ capabilities: ['testing'] }, () => Promise.reject())
    await connection.connect(server)
    const { signal } = new AbortController()
    const session = await McpSession.open(client, { signal })
    const tools = await session.listTools(signal)
    for (const ours of browserTools) {
      const tool = tools.find(({ name }) => name === ours.name)
      if (tool === undefined) throw new Error(`There is no \`${ours.name}\`.`)
      const theirs = argumentsOf(tool.inputSchema, 'properties')
      expect([tool.name, argumentsOf(ours.inputSchema, 'properties').filter((name) => !theirs.includes(name))]).toEqual(
        [tool.name, []],
      )
      expect([tool.name, argumentsOf(ours.inputSchema, 'required')]).toEqual([
        tool.name,
        argumentsOf(tool.inputSchema, 'required'),
      ])
    }
  })

  test('a large page is cut, and parts of it can be seen', async () => {
    const rows = Array.from({ length: 6000 }, (_, index) => `<li>Row number ${index} of many</li>`).join('')
    const url = await serve(`<ul>${rows}</ul><h1>The end of it</h1>`)
    const find = act('browser_find', { text: 'The end of it' })
    const part = act('browser_snapshot', { target: 'h1' })
    const { results, events } = await agent.work({
      script: replies(act('browser_navigate', { url }), find, part, report, ends),
    })
    expect(results[0]?.length).toBeLessThan(65_000)
    expect(results[0]).toMatch(/kB, of which the first 60 are shown\. Look at a part: browser_find/)
    expect(results.slice(1, 3)).toEqual([
      expect.stringContaining('The end of it'),
      expect.stringContaining('The end of it'),
    ])
    const raw = events.flatMap((event) => (event.type === 'called' ? [event.output.length] : []))
    expect(Math.max(...raw)).toBeLessThan(65_000)
  })

  test('a text is waited for as long as was asked, and no longer', async () => {
    const url = await serve('<script>setTimeout(() => document.body.append("Ready now"), 7000)</script><h1>Wait</h1>')
    const wait = (text: string, time?: number): ModelReply =>
      act('browser_wait_for', { text, ...(time !== undefined && { time }) })
    const script = replies(act('browser_navigate', { url }), wait('Ready now', 60), wait('Never', 1), report, ends)
    const { results } = await agent.work({ script })
    expect(results[1]).toContain('Waited for Ready now')
    expect(results[2]).toMatch(/Timeout[\s\S]*Waited for 1 s\./)
  })

  test('a relative address is below the base URL, and nothing else is an address', async () => {
    await using pages = await startOddPages()
    const script = replies(
      act('browser_navigate', { url: '/names' }),
      act('browser_navigate', { url: 'form' }),
      act('browser_navigate', { url: 'data:text/html,x' }),
      report,
      ends,
    )
    const { results } = await agent.work({ baseUrl: `${pages.url}/`, script })
    expect(results[0]).toContain(`Page URL: ${pages.url}/names`)
    expect(results[1]).toContain(`Page URL: ${pages.url}/form`)
    expect(results[2]).toMatch(/^Only addresses that begin with http/)
  })

  test('white space that a snapshot hides is seen by the value of a field', async () => {
    const url = await serve('<input aria-label="Name" value="  milk ">')
    const verify = (value: string): ModelReply =>
      act('browser_verify_value', { type: 'textbox', target: 'input', value })
    const script = replies(act('browser_navigate', { url }), verify('milk'), verify('  milk '), report, ends)
    const { conversations } = await agent.work({ script })
    const results = conversations.at(-1)?.results.map(({ text }) => text) ?? []
    expect(results[1]).toMatch(/### Error/)
    expect(results[2]).not.toMatch(/### Error/)
  })
})

async function serve(body: string): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Page</title><body>${body}`),
  )
  const site = await listen(server)
  onTestFinished(() => site[Symbol.asyncDispose]())
  return `${site.url}/`
}
