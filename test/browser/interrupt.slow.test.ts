import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { happensWithin } from '../support/leftovers.ts'
import { verdictsOf, readJsonReport } from '../support/json-report.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

describe.skipIf(skipReason !== '')(`a model that does not answer${skipReason}`, () => {
  test('after an interrupt nothing has passed, and what was used is told', async () => {
    await using shop = await startShop()
    const silent = new Set<string>()
    const script = browse(shopScripts)
    await using browser = await createBrowserProject({
      script(conversation) {
        if (conversation.isSideRequest || conversation.results.length < 2) return script(conversation)
        silent.add(specName(conversation))
        return { kind: 'silence' }
      },
      files: {
        'cart.test.md': await shopSpec('cart', shop.url),
        'account.test.md': await shopSpec('account', shop.url),
      },
    })
    const { project, env } = browser
    const running = project.start('mdtest', ['run'], { env: { ...env } })
    expect(await happensWithin(60_000, () => silent.size === 2)).toBe(true)
    if (running.pid !== undefined) process.kill(running.pid, 'SIGINT')
    const { exitCode, all = '' } = await running
    expect(exitCode).toBe(130)
    expect(all).not.toMatch(/\bpassed\b|✓/)
    expect(all).toMatch(/^agents: 2 scenarios, [1-9][\d.]* k tokens in/m)
  })

  test('is named where its silence ends the run', async () => {
    await using shop = await startShop()
    const script = browse(shopScripts)
    const spec = await shopSpec('cart', shop.url)
    await using browser = await createBrowserProject({
      script: (asked) => (asked.isSideRequest || asked.results.length < 2 ? script(asked) : { kind: 'silence' }),
      files: { 'cart.test.md': spec.replace('agent: browser\n', 'agent: browser\nsilence-timeout: 20s\n') },
    })
    const { project, env } = browser
    const { stdout, all } = await project.mdtest(['run', '--reporter=json'], { env, timeoutMs })
    expect(verdictsOf(stdout, 'cart.test.md')[0], all).toBe('blocked AGENT_SILENT')
    const messages = readJsonReport(stdout)['cart.test.md']?.[0]?.messages?.join() ?? ''
    expect(messages).toMatch(/The model `gpt-5\.2` had not answered for \d+ s\./)
    expect(messages).not.toContain('Snapshot')
  })
})
