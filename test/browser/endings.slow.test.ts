import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { browserProcessesOf, type BrowserProcesses } from '../support/browser-processes.ts'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { filesWith } from '../support/files-with.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { happensWithin, leftAfter, processesOf } from '../support/leftovers.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { endingScripts, isCrashed } from '../support/scripts/ending-scripts.ts'
import { playTurn } from '../support/scripts/report-spec.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'
import { startStockServer } from '../support/stock-server.ts'

const maxModelSteps = 9
const secret = 'stock-secret-4711'

const spec = (...titles: readonly string[]): string =>
  `# Shop\n\n${titles.map((title) => `## ${title}\n\nDo so.\n\n- [ ] It is done\n`).join('\n')}`

/** By it the processes of a spec are found. */
const withName = (name: string, text: string): string => `---\nenv: { SPEC_NAME: ${name} }\n---\n\n${text}`

/** A spec of which a browser is open while it waits. */
function blocksSpec(url: string): string {
  const block = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`
  const blocks = [
    block('ts browser', "await page.goto('/')"),
    block('sh timeout=5m', 'touch "$TESTROOT/there"; sleep 300'),
  ]
  return `---\nagent: none\nbase-url: ${url}\n---\n\n# Blocks\n\n${blocks.join('\n')}`
}

describe.skipIf(skipReason !== '')(`the end of a browser spec${skipReason}`, () => {
  test('is blocked where browser or model are gone, and a failure where the model does not come to one', async () => {
    await using shop = await startShop()
    await using stock = await startStockServer({ 'blue mug': 12 })
    const processes = (name: string): BrowserProcesses => browserProcessesOf(`SPEC_NAME=${name}`)
    const scripts = endingScripts(shop.url, processes)
    const names = Object.keys(scripts)
    const script: ModelScript = (conversation) => {
      const name = specName(conversation)
      if (name === 'silent' && conversation.results.length === 2) return { kind: 'silence' }
      const turn = scripts[name]
      return turn === undefined ? browse({ silent: shopScripts.cart })(conversation) : playTurn(turn)(conversation)
    }
    const config = (model: string): string => `import { mdtest } from 'vitest-mdtest'
const headers = { Authorization: 'Bearer ' + process.env.STOCK_TOKEN }
const stock = { type: 'http', url: '${stock.url}', headers }
const options = { agent: 'browser', minAssurance: 'observed', baseUrl: '${shop.url}', maxModelSteps: ${maxModelSteps}, mcpServers: { stock } }
export default { plugins: [mdtest({ ...options, providerUrl: '${model}/v1' })] }
`
    await using browser = await createBrowserProject({
      script,
      config,
      files: {
        ...Object.fromEntries(names.map((name) => [`${name}.test.md`, withName(name, spec('Open'))])),
        'browser-dies.test.md': withName('browser-dies', spec('Open', 'Pay')),
        'stock.test.md': `---\nrequires: ['mcp:stock']\n---\n\n${spec('Count')}`,
        'silent.test.md': `---\nsilence-timeout: 30s\n---\n\n${spec('Open')}`,
      },
    })
    const { project, model, env } = browser
    const { stdout, all, exitCode } = await project.mdtest(['run', '--reporter=json'], {
      env: { ...env, STOCK_TOKEN: secret },
      timeoutMs,
    })
    const said = [...names, 'silent'].map((name) => [name, verdictsOf(stdout, `${name}.test.md`)])
    expect(Object.fromEntries(said), all).toEqual({
      'browser-dies': ['pass observed', 'blocked BROWSER_UNAVAILABLE'],
      'browser-dies-in-a-call': ['blocked BROWSER_UNAVAILABLE'],
      'fails-on': ['fail STEP_FAILED CHECK_FAILED'],
      'runs-on': ['fail STEP_UNREPORTED'],
      silent: ['blocked AGENT_SILENT'],
      stock: ['pass observed'],
    })
    expect(exitCode).toBe(1)
    const messageOf = (name: string): string =>
      readJsonReport(stdout)[`${name}.test.md`]?.at(-1)?.messages?.join() ?? ''
    expect(messageOf('browser-dies')).toMatch(/The browser died in the middle of the run.* Run it again\./)
    expect(messageOf('browser-dies-in-a-call')).toContain('The browser died')
    expect(messageOf('runs-on')).toContain(`was stopped after ${maxModelSteps} requests. Raise the option`)
    expect(messageOf('silent')).toMatch(/The model `gpt-5\.2` had not answered for \d+ s\./)
    expect(messageOf('silent')).not.toContain('Snapshot')

    const requestsOf = (name: string): readonly Conversation[] =>
      model.conversations.filter((one) => !one.isSideRequest && specName(one) === name)
    const lastOf = (name: string): string => requestsOf(name).at(-1)?.results.at(-1)?.text ?? ''
    expect(requestsOf('browser-dies').at(-1)?.results.some(isCrashed)).toBe(true)
    // Nobody is asked any more after the call in which it died.
    expect(lastOf('browser-dies')).toContain('2-pay')
    expect(requestsOf('browser-dies-in-a-call')).toHaveLength(2)
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
  })

  test.each([
    { program: 'mdtest', signal: 'SIGINT' },
    { program: 'vitest', signal: 'SIGKILL' },
  ] as const)('by $signal leaves no browser, no server, no temporary file and no pass', async ({ program, signal }) => {
    await using shop = await startShop()
    let isSilent = false
    const script = browse(shopScripts)
    await using browser = await createBrowserProject({
      script(conversation) {
        if (conversation.isSideRequest || conversation.results.length < 2) return script(conversation)
        isSilent = true
        return { kind: 'silence' }
      },
      files: {
        'cart.test.md': await shopSpec('cart', shop.url),
        'blocks.test.md': blocksSpec(shop.url),
      },
    })
    const { project } = browser
    // By the folder in it the processes of blocks are found: nothing else of theirs names it.
    const env: Record<string, string> = { ...browser.env, PATH: `${process.env.PATH}:${project.dir}` }
    const running = project.start(program, ['run'], { env, timeoutMs })
    expect(await happensWithin(120_000, () => isSilent && existsSync(project.path('there')))).toBe(true)
    const lines = processesOf(project.dir).map(({ line }) => line)
    for (const part of [
      'chromium',
      '--headless',
      'agents/browser/model-program/main.js',
      'blocks/browser/program/main.js',
      'launcher-main',
    ]) {
      expect(lines).toContainEqual(expect.stringContaining(part))
    }
    if (running.pid !== undefined) process.kill(running.pid, signal) // `kill` of execa takes its time
    const { exitCode, all = '' } = await running
    expect(all).not.toMatch(/\bpassed\b|✓/)
    expect(await leftAfter(project.dir, 60_000)).toEqual([])
    expect(readdirSync(env.TMPDIR ?? '')).toEqual([])
    if (signal === 'SIGKILL') return
    expect(exitCode).toBe(130)
    expect(all).toMatch(/^agents: 1 scenario, [1-9][\d.]* k tokens in/m)
  })
})
