import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import type { McpServers } from '../../../src/spec/front-matter/front-matter.ts'
import { Executor } from '../../../src/host/executor/executor.ts'
import { openServers } from '../../../src/host/executor/lent-servers.ts'
import type { ScenarioRequest } from '../../../src/host/protocol/protocol.ts'
import { startReportServer } from '../../../src/host/agent-reports/report-server.ts'
import { StepReports } from '../../../src/host/agent-reports/step-reports.ts'
import { McpSession, httpTransport } from '../../../src/mcp/mcp-session.ts'
import { startStockServer } from '../../support/stock-server.ts'
import { useLauncher } from '../../support/use-launcher.ts'
import { unusedExecutor } from '../scenario-request.ts'

const launcher = useLauncher()
const shelfFile = fileURLToPath(new URL('../../support/shelf-server.mjs', import.meta.url))
const oddFile = fileURLToPath(new URL('odd-server.mjs', import.meta.url))
const signal = new AbortController().signal

const shelf = { command: process.execPath, args: [shelfFile, 'words.txt'], env: { SHELF_OWNER: 'Ann' } }
const odd = { command: process.execPath, args: [oddFile] }

interface Opened {
  readonly executor: Executor
  readonly events: AgentEvent[]
  /** Of programs that were started. */
  readonly pids: readonly number[]
  call(
    name: string,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly text: string; readonly isError: boolean }>
}

interface Settings {
  /** In milliseconds. */
  readonly timeoutMs?: number
  readonly words?: string
}

const pids: number[] = []

async function open(mcpServers: McpServers, { timeoutMs = 10_000, words = 'Done\n' }: Settings = {}): Promise<Opened> {
  const [root, scratchDir] = [newFolder(), newFolder()]
  writeFileSync(join(root, 'words.txt'), words)
  pids.length = 0
  const settings = { allow: [], dangerouslyAllowAllActions: false, blockTimeoutMs: timeoutMs }
  const request = {
    cwd: root,
    root,
    specFile: join(root, 'a.test.md'),
    includedFiles: [],
    writes: ['**'],
    settings,
    isToBeRecorded: true,
  }
  const executor = new Executor({
    worker: unusedExecutor,
    request: request as unknown as ScenarioRequest, // what it reads of it
    scratchDir,
    logs: { dir: join(root, 'a.logs'), evidence: join(root, 'a.logs/now') },
    environment: new Set(),
    servers: await openServers(mcpServers, {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', OUTER: 'outer' },
      launcher,
      runMark: 'executor-servers',
      signal,
      onStart: ({ pid }) => void pids.push(pid),
      onEnd() {},
    }),
  })
  onTestFinished(() => executor.end())
  const events: AgentEvent[] = []
  executor.listen({ onCall() {}, onEvent: (event) => void events.push(event) })
  return {
    executor,
    events,
    pids: [...pids],
    async call(name, input = {}) {
      const tool = executor.serverTools.find(({ offeredName }) => offeredName === name)
      if (tool === undefined) throw new Error(`no tool ${name}`)
      return executor.callServer(tool, input)
    },
  }
}

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-servers-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** What an agent sees: mdtest's server with all tools. */
async function asAgent(executor: Executor): Promise<McpSession> {
  const server = await startReportServer()
  onTestFinished(() => server.close())
  const stepReports = new StepReports({ steps: ['1-a'], now: () => new Date() })
  const { url, token } = server.open(stepReports, (tools) => executor.addTools(tools))
  return McpSession.open(httpTransport({ url, headers: { authorization: `Bearer ${token}` } }), { signal })
}

const namesOf = ({ executor }: Opened): readonly string[] => executor.serverTools.map(({ offeredName }) => offeredName)

function stateOf(pid: number | undefined): string | undefined {
  return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
}

describe('the MCP servers of a spec, in the executor of mdtest', () => {
  test('are called, told of and ended by it, programs and others', async () => {
    await using stock = await startStockServer({ milk: 3 })
    const opened = await open({ shelf, stock: { url: stock.url, headers: { authorization: 'Bearer key' } } })
    const { call, events, executor } = opened
    expect(namesOf(opened)).toEqual([
      ...'put get all who wait die'.split(' ').map((tool) => `shelf__${tool}`),
      'stock__count',
    ])
    expect(await call('shelf__put', { thing: 'tea' })).toMatchObject({ text: 'Done: item 1 is tea', isError: false })
    expect(await call('shelf__get', { number: 7 })).toMatchObject({ text: 'there is no item 7', isError: true })
    expect((await call('shelf__who')).text).toMatch(/^Ann outer mdtest-servers-/)
    expect((await call('stock__count', { product: 'milk' })).text).toBe('In stock: 3 of milk, said to Bearer key')
    const [asked, answered, ...others] = events
    expect(asked).toEqual({
      type: 'tool-call',
      id: 't1',
      kind: 'mcp',
      tool: 'mcp__shelf__put',
      title: 'mcp__shelf__put {"thing":"tea"}',
      files: [],
      input: { thing: 'tea' },
      directory: expect.stringContaining('mdtest-servers-'),
    })
    expect(answered).toEqual({ type: 'tool-result', id: 't1', isError: false, output: 'Done: item 1 is tea' })
    expect(others[1]).toMatchObject({ id: 't2', isError: true, output: 'there is no item 7' })
    expect(executor.done.slice(0, 2)).toEqual([
      {
        kind: 'mcp',
        server: 'shelf',
        tool: 'put',
        input: { thing: 'tea' },
        output: 'Done: item 1 is tea',
        isError: false,
      },
      { kind: 'mcp', server: 'shelf', tool: 'get', input: { number: 7 }, output: 'there is no item 7', isError: true },
    ])
    await executor.end()
    for (const pid of opened.pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('are offered with their own schemas, under names that each CLI takes', async () => {
    const opened = await open({ 'my.odd': odd })
    const names = namesOf(opened)
    expect(names).toEqual(['my_odd__look', 'my_odd__lines', expect.any(String), expect.any(String)])
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(`mcp__mdtest__${name}`).toMatch(/^[\w-]{1,64}$/)
    const agent = await asAgent(opened.executor)
    const listed = await agent.listTools(signal)
    expect(listed.find(({ name }) => name === 'my_odd__lines')).toEqual({
      name: 'my_odd__lines',
      description: 'So many lines.',
      inputSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] },
    })
    const ask = (tool: string, input = {}): Promise<unknown> => agent.call({ tool, input, timeoutMs: 5000, signal })
    expect(await ask('my_odd__look')).toEqual({
      isError: false,
      text: 'The page:\nof a resource\nfile:///x.txt',
      parts: [
        { type: 'text', text: 'The page:' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'text', text: 'of a resource' },
        { type: 'text', text: 'file:///x.txt' },
      ],
    })
    expect(await ask(names[3] ?? '')).toMatchObject({ text: '{"two":2}' })
    expect(await ask('my_odd__lines', { n: 300 })).toMatchObject({
      text: expect.stringContaining('… lines 121 to 220 are left out: all of it is in $MDTEST_SCRATCH/t3.out …'),
    })
    expect(readFileSync(join(opened.executor.scratchDir, 't3.out'), 'utf8')).toMatch(
      /^line 1\n(?:line \d+\n){298}line 300/,
    )
  })

  test.for<readonly [name: string, kind: string, tools: readonly string[]]>([
    ['playwright', 'browser', ['playwright__look', 'playwright__lines']],
    ['my-chrome', 'browser', ['my-chrome__look', 'my-chrome__lines']],
  ])('that drive a browser are known by their names: %s', async ([name, kind, names]) => {
    const { executor } = await open({ [name]: odd })
    expect(executor.serverTools.slice(0, 2).map((tool) => [tool.kind, tool.offeredName])).toEqual(
      names.map((one) => [kind, one]),
    )
  })

  test('are all there before an agent is, or none is', async () => {
    const failing = open({ odd, shelf }, { words: '' })
    await expect(failing).rejects.toMatchObject({
      code: 'AGENT_MCP_UNAVAILABLE',
      message:
        'The MCP server `shelf` cannot be used (Connection closed). Start it by hand as `mcpServers` or `mcp-servers` say, and see.',
    })
    expect(pids).toHaveLength(2)
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    await expect(open({ playwright: { command: '/nonexistent/server' } })).rejects.toMatchObject({
      code: 'AGENT_BROWSER_UNAVAILABLE',
    })
  })

  test('do nothing while mdtest looks at what they did', async () => {
    const { executor, call, pids: started } = await open({ shelf })
    await call('shelf__put', { thing: 'tea' })
    await executor.hold()
    expect(stateOf(started[0])).toBe('T')
    const waiting = call('shelf__all')
    await executor.release()
    expect((await waiting).text).toBe('tea')
    executor.waitWhile(() => true)
    expect((await call('shelf__put', { thing: 'milk' })).text).toContain('still checks')
    executor.waitWhile(() => false)
    expect((await call('shelf__all')).text).toBe('tea')
  })

  test('that are slow or die are told of, in no words to be quoted', async () => {
    const { executor, call, events } = await open({ shelf }, { timeoutMs: 300 })
    const waiting = call('shelf__wait')
    expect(executor.isBusy).toBe(true)
    expect(await waiting).toMatchObject({ text: '`shelf__wait` was given up after 300 ms.', isError: true })
    expect(await call('shelf__die')).toMatchObject({
      text: 'The MCP server `shelf` cannot be used: Connection closed.',
      isError: true,
    })
    expect(executor.isBusy).toBe(false)
    const outputs = events.flatMap((event) => (event.type === 'tool-result' ? [event.output] : []))
    expect(outputs).toEqual(['', ''])
    expect(executor.done).toEqual(['shelf__wait', 'shelf__die'].map((command) => ({ kind: 'unfinished', command })))
  })
})

test('no file of the folder for evidence is written by an agent that mdtest acts for', async () => {
  const { executor } = await open({})
  const write = async (path: string): Promise<boolean> => !(await executor.write({ path, content: 'x' })).isError
  expect(await Promise.all(['a.txt', 'a.logs/now/shot.png', 'a.logs/x.log.md'].map(write))).toEqual([
    true,
    false,
    false,
  ])
})

test("what mdtest's own tools are described with stays short", async () => {
  const { executor } = await open({})
  const agent = await asAgent(executor)
  const tools = await agent.listTools(signal)
  expect(tools.map(({ name }) => name)).toEqual('report_step next_step run next_output write'.split(' '))
  // A token is some four characters of English and JSON.
  expect(JSON.stringify(tools).length / 4).toBeLessThan(1500)
})
