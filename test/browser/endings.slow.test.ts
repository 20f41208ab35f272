import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { browserProcessesOf, type BrowserProcesses } from '../support/browser-processes.ts'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { filesWith } from '../support/files-with.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { specName } from '../support/scripts/browse.ts'
import { endingScripts, isCrashed } from '../support/scripts/ending-scripts.ts'
import { playTurn } from '../support/scripts/report-spec.ts'
import { startShop } from '../support/start-shop.ts'
import { startStockServer } from '../support/stock-server.ts'

const maxModelSteps = 9
const secret = 'stock-secret-4711'

const spec = (...titles: readonly string[]): string =>
  `# Shop\n\n${titles.map((title) => `## ${title}\n\nDo so.\n\n- [ ] It is done\n`).join('\n')}`

describe.skipIf(skipReason !== '')(`the end of a browser spec${skipReason}`, () => {
  test('is blocked where the browser or its server dies, and a failure where the model does not come to one', async () => {
    await using shop = await startShop()
    await using stock = await startStockServer({ 'blue mug': 12 })
    const processes = (name: string): BrowserProcesses => browserProcessesOf(name, browser.project.dir)
    const scripts = endingScripts(shop.url, processes)
    const names = Object.keys(scripts)
    const four = together(names.slice(0, 4))
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
    expect(four.isMissed).toBe(false)
  })
})

/** Holds the models of these specs back after their first action until all have come so far, for as long as that may take. */
function together(names: readonly string[]): {
  readonly isMissed: boolean
  arrive(conversation: Conversation): Promise<void>
} {
  const there = new Set<string>()
  let isMissed = false
  let letAllGo = (): void => {}
  const allAreThere = new Promise<boolean>((resolve) => (letAllGo = () => resolve(false)))
  return {
    get isMissed() {
      return isMissed
    },
    async arrive(conversation) {
      const name = specName(conversation)
      if (conversation.results.length !== 1 || !names.includes(name)) return
      there.add(name)
      if (there.size === names.length) letAllGo()
      isMissed ||= await Promise.race([allAreThere, sleep(100_000, true, { ref: false })])
    },
  }
}
