import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { browserProcessesOf, type BrowserProcesses } from '../support/browser-processes.ts'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Conversation, ToolResult } from '../support/conversation.ts'
import { filesWith } from '../support/files-with.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { specName } from '../support/scripts/browse.ts'
import { callOwn, playTurn, type Turn } from '../support/scripts/report-spec.ts'
import { startShop } from '../support/start-shop.ts'
import { startStockServer } from '../support/stock-server.ts'
import type { ModelAction } from '../support/tool-dialect.ts'

const maxModelSteps = 9
const secret = 'stock-secret-4711'

const spec = (...titles: readonly string[]): string =>
  `# Shop\n\n${titles.map((title) => `## ${title}\n\nDo so.\n\n- [ ] It is done\n`).join('\n')}`
const browserTool = (tool: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool, input })
const report = (step: string, status: 'pass' | 'fail', quote?: string): ModelAction =>
  callOwn('report_step', {
    step,
    status,
    checks: [{ n: 1, status }],
    ...(quote !== undefined && { evidence: [{ quote }] }),
  })

/** What the models do, by the name of their spec. */
function scriptsFor(shopUrl: string, processes: (name: string) => BrowserProcesses): Record<string, () => Turn> {
  const open = browserTool('browser_navigate', { url: shopUrl })
  const done = new Set<string>()
  // Each request plays the script from its start.
  const once = (what: string, act: () => void): void => {
    if (!done.has(what)) act()
    done.add(what)
  }
  return {
    // A page that crashes is the model's to handle. The browser is gone when it is used next, in vain or begun anew.
    *'browser-dies'() {
      yield open
      once('crash', () => kill(...processes('browser-dies').renderers))
      while (!isCrashed(yield browserTool('browser_snapshot')));
      yield open
      yield report('1-open', 'pass')
      once('browser', () => kill(processes('browser-dies').browser))
      yield browserTool('browser_snapshot')
      yield report('2-pay', 'fail')
      return 'It is empty.'
    },
    *'browser-dies-in-a-call'() {
      yield open
      once('in a call', () => setTimeout(() => kill(processes('browser-dies-in-a-call').browser), 300))
      yield browserTool('browser_wait_for', { time: 20 })
      yield report('1-open', 'fail')
      return 'It did not come.'
    },
    *'fails-on'() {
      for (let count = 0; count < 5; count += 1) yield browserTool('browser_click', { target: 'e999' })
      yield report('1-open', 'fail')
      return 'There was no such thing.'
    },
    *'runs-on'() {
      for (;;) yield browserTool('browser_snapshot')
    },
    *'server-dies'() {
      yield open
      once('server', () => kill(processes('server-dies').server))
      yield browserTool('browser_snapshot')
      yield report('1-open', 'fail')
      return 'It is empty.'
    },
    *stock() {
      const { text } = yield { kind: 'mcp', server: 'stock', tool: 'mcp__stock__count', input: { product: 'blue mug' } }
      yield report('1-count', 'pass', /In stock: \d+ of blue mug/.exec(text)?.[0])
      return `Done: ${text}`
    },
  }
}

describe.skipIf(skipReason !== '')(`the end of a browser spec${skipReason}`, () => {
  test('is blocked where the browser or its server dies, and a failure where the model does not come to one', async () => {
    await using shop = await startShop()
    await using stock = await startStockServer({ 'blue mug': 12 })
    const processes = (name: string): BrowserProcesses => browserProcessesOf(name, browser.project.dir)
    const scripts = scriptsFor(shop.url, processes)
    const names = Object.keys(scripts)
    const four = atOnce(names.slice(0, 4))
    const script: ModelScript = async (conversation) => {
      if (!conversation.isSideRequest) await four.arrive(conversation)
      const turn = scripts[specName(conversation)]
      return turn === undefined ? { kind: 'answer', text: 'OK' } : playTurn(turn)(conversation)
    }
    const config = (model: string): string => `import { mdtest } from 'vitest-mdtest'
const headers = { Authorization: 'Bearer ' + process.env.STOCK_TOKEN }
const stock = { type: 'http', url: '${stock.url}', headers }
const options = { agent: 'browser', baseUrl: '${shop.url}', maxModelSteps: ${maxModelSteps}, mcpServers: { stock } }
export default { plugins: [mdtest({ ...options, providerUrl: '${model}/v1' })] }
`
    await using browser = await createBrowserProject({
      script,
      files: {
        ...Object.fromEntries(names.map((name) => [`${name}.test.md`, spec('Open')])),
        'browser-dies.test.md': spec('Open', 'Pay'),
        'stock.test.md': `---\nrequires: ['mcp:stock']\n---\n\n${spec('Count')}`,
      },
    })
    const { project, model, env } = browser
    await project.write('vitest.config.js', config(model.url))
    const { stdout, all, exitCode } = await project.mdtest(['run', '--reporter=json'], {
      env: { ...env, STOCK_TOKEN: secret },
      timeoutMs,
    })
    const said = names.map((name) => [name, verdictsOf(stdout, `${name}.test.md`)])
    expect(Object.fromEntries(said), all).toEqual({
      'browser-dies': ['pass observed', 'blocked BROWSER_UNAVAILABLE'],
      'browser-dies-in-a-call': ['blocked BROWSER_UNAVAILABLE'],
      'fails-on': ['fail STEP_FAILED CHECK_FAILED'],
      'runs-on': ['fail STEP_UNREPORTED'],
      'server-dies': ['blocked BROWSER_UNAVAILABLE'],
      stock: ['pass observed'],
    })
    expect(exitCode).toBe(1)
    const messageOf = (name: string): string =>
      readJsonReport(stdout)[`${name}.test.md`]?.at(-1)?.messages?.join() ?? ''
    expect(messageOf('browser-dies')).toMatch(/The browser died in the middle of the run.* Run it again\./)
    expect(messageOf('browser-dies-in-a-call')).toContain('The browser died')
    expect(messageOf('server-dies')).toContain("Playwright's MCP server died")
    expect(messageOf('runs-on')).toContain(`was stopped after ${maxModelSteps} requests. Raise the option`)

    const requestsOf = (name: string): readonly Conversation[] =>
      model.conversations.filter((one) => !one.isSideRequest && specName(one) === name)
    const lastOf = (name: string): string => requestsOf(name).at(-1)?.results.at(-1)?.text ?? ''
    expect(requestsOf('browser-dies').at(-1)?.results.some(isCrashed)).toBe(true)
    // Nobody is asked any more after the call in which it died.
    expect(lastOf('browser-dies')).toContain('2-pay')
    expect(requestsOf('browser-dies-in-a-call')).toHaveLength(2)
    expect(requestsOf('server-dies')).toHaveLength(2)
    expect(requestsOf('runs-on')).toHaveLength(maxModelSteps)

    const failing = requestsOf('fails-on')
    const hints = failing.at(-1)?.results.map(({ text }) => /\d actions in a row have failed/.exec(text)?.[0])
    expect(hints?.slice(0, 5)).toEqual([
      undefined,
      undefined,
      '3 actions in a row have failed',
      undefined,
      '5 actions in a row have failed',
    ])
    const offered = failing.map(({ tools }) => tools.includes('browser_click'))
    expect(offered).toEqual([true, true, true, true, true, false, true])
    expect(failing[5]?.tools.toSorted()).toEqual(['next_step', 'report_step'])
    const demand = model.requests[model.conversations.findIndex((one) => one === failing[5])]
    expect(demand?.body.tool_choice).toBe('required')

    expect(stock.calls).toEqual([`blue mug by Bearer ${secret}`])
    expect(filesWith('In stock: 12 of blue mug', project.dir)).not.toEqual([])
    expect(filesWith(secret, project.dir)).toEqual([])
    expect(four.count).toBe(4)
  })
})

/** Where nothing was under way, Playwright only shows that the page is not there any more. */
function isCrashed({ text }: ToolResult): boolean {
  return /crashed|Page URL: about:blank/.test(text)
}

function kill(...pids: readonly (number | undefined)[]): void {
  for (const pid of pids) {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    } catch {
      // One of several that draw pages may have ended by itself.
    }
  }
}

/** Holds the models of these specs back after their first action, until all of them have come so far. */
function atOnce(names: readonly string[]): {
  readonly count: number
  arrive(conversation: Conversation): Promise<void>
} {
  const there = new Set<string>()
  let letAllGo = (): void => {}
  const allAreThere = new Promise<void>((resolve) => (letAllGo = resolve))
  return {
    get count() {
      return there.size
    },
    async arrive(conversation) {
      const name = specName(conversation)
      if (conversation.results.length !== 1 || !names.includes(name)) return
      there.add(name)
      if (there.size === names.length) letAllGo()
      await Promise.race([allAreThere, sleep(60_000, undefined, { ref: false })])
    },
  }
}
