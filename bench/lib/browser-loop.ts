import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChrome, usualPlaces } from '../../.cache/compiled/agents/browser/set-up/find-chrome.js'
import { offeredTools } from '../../.cache/compiled/agents/browser/program/offered-tools.js'
import { openBrowser } from '../../.cache/compiled/agents/browser/program/open-browser.js'
import { runModel } from '../../.cache/compiled/agents/browser/program/run-model.js'
import { importSource } from './import-source.ts'
import { assertCount } from './wrong-count.ts'

/** Actions after which the page is looked at. */
export const actions = {
  /** Playwright's server waits half a second for what a click may cause. */
  click: { name: 'browser_click', input: { element: 'Our products', target: 'h1' } },
  /** It waits for nothing. */
  key: { name: 'browser_press_key', input: { key: 'Tab' } },
}

const shopProgram = fileURLToPath(new URL('../../fixtures/shop/main.mjs', import.meta.url))

/** The shop in a browser, a scripted model that takes this action in each step, and the loop between them; nothing where there is no browser. */
export async function openLoop(action) {
  const executablePath = findChrome({ usual: usualPlaces(process.env), path: process.env.PATH ?? '' })
  if (executablePath === undefined) return undefined
  const { modules, close } = await importSource(['test/support/model-server.ts'])
  const script = ({ results, prompt }) =>
    results.length < Number(prompt)
      ? { kind: 'answer', text: 'Next.', calls: [action] }
      : { kind: 'answer', text: 'Done.' }
  const model = await modules[0].startModelServer(script)
  const home = mkdtempSync(join(tmpdir(), 'b-'))
  const launch = { home, executablePath, isHeaded: false, isSandboxed: process.getuid?.() !== 0 }
  const env = { ...process.env, https_proxy: 'http://127.0.0.1:9' }
  const browser = await openBrowser({ launch, evidenceDir: join(home, 'evidence'), env }, home)
  const shop = spawn(process.execPath, [shopProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(shop.stdout, 'data')
  await browser.call('browser_navigate', { url: String(line).trim() })
  return {
    /** Has the model take so many steps; gives its requests. */
    async run(steps) {
      const before = model.requests.length
      const calls = await loop({ model, browser, steps })
      assertCount('actions', { expected: steps, actual: calls })
      const requests = model.requests.slice(before)
      assertCount('model requests', { expected: steps + 1, actual: requests.length })
      return requests
    },
    /** The same calls without a model. */
    async byHand(steps) {
      for (let step = 0; step < steps; step += 1) {
        await browser.call(action.name, action.input)
        await browser.call('browser_snapshot', {})
      }
    },
    async close() {
      await browser.close()
      shop.kill()
      await model[Symbol.asyncDispose]()
      await close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/** How many actions were taken. */
async function loop({ model, browser, steps }) {
  let calls = 0
  const emit = ({ type }) => {
    if (type === 'tool-call') calls += 1
  }
  const reports = { tools: [], call: async () => undefined, close: async () => {} }
  await runModel({
    task: {
      model: { provider: 'openai', model: 'gpt-5.2', apiKey: 'scripted', url: `${model.url}/v1` },
      systemPrompt: 'Carry out the specification.',
      maxModelSteps: steps + 1,
    },
    texts: [String(steps)],
    offered: offeredTools({ browser, reports, others: new Map() }, emit),
    signal: new AbortController().signal,
    emit,
  })
  return calls
}
