import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserServer as Server } from '../../src/agents/browser/tool-server/browser-server.ts'
import {
  startModelServer,
  type ModelRequest,
  type ModelScript,
  type ModelServer,
} from '../../test/support/model-server.ts'
import { importCompiled } from './import-compiled.ts'
import { assertCount } from './wrong-count.ts'

const { findChrome } =
  await importCompiled<typeof import('../../src/agents/browser/browsers.ts')>('agents/browser/browsers')
const { offeredTools } = await importCompiled<typeof import('../../src/agents/browser/model-program/offered-tools.ts')>(
  'agents/browser/model-program/offered-tools',
)
const { BrowserServer } = await importCompiled<typeof import('../../src/agents/browser/tool-server/browser-server.ts')>(
  'agents/browser/tool-server/browser-server',
)
const { createModel } = await importCompiled<typeof import('../../src/agents/browser/model.ts')>('agents/browser/model')
const { WatchedModel } = await importCompiled<
  typeof import('../../src/agents/browser/model-program/model-requests.ts')
>('agents/browser/model-program/model-requests')
const { runModel } = await importCompiled<typeof import('../../src/agents/browser/model-program/run-model.ts')>(
  'agents/browser/model-program/run-model',
)

interface Action {
  readonly name: string
  readonly input: Readonly<Record<string, string>>
}

export interface Loop {
  /** Lets the model take `steps` actions, and returns its requests. */
  run(steps: number): Promise<readonly ModelRequest[]>
  /** Makes the same calls without a model. */
  byHand(steps: number): Promise<void>
  close(): Promise<void>
}

/** Actions that are each followed by a snapshot of the page. */
export const actions = {
  /** Slow: after a click Playwright's server waits half a second for its effects. */
  click: { name: 'browser_click', input: { element: 'Our products', target: 'h1' } },
  /** Fast: nothing waits after a key. */
  key: { name: 'browser_press_key', input: { key: 'Tab' } },
}

const shopProgram = fileURLToPath(new URL('../../fixtures/shop/main.mjs', import.meta.url))

/** Runs the agent loop between the shop and a scripted model that repeats `action`. `undefined` without a browser. */
export async function openLoop(action: Action): Promise<Loop | undefined> {
  const executablePath = findChrome(process.env)
  if (executablePath === undefined) return undefined
  const script: ModelScript = ({ results, prompt }) =>
    results.length < Number(prompt)
      ? { kind: 'answer', text: 'Next.', calls: [action] }
      : { kind: 'answer', text: 'Done.' }
  const model = await startModelServer(script)
  const home = mkdtempSync(join(tmpdir(), 'b-'))
  const launch = { home, executablePath, isHeaded: false }
  const env = { ...process.env, https_proxy: 'http://127.0.0.1:9' }
  const browser = new BrowserServer({ launch, cwd: home, evidenceDir: join(home, 'logs/T') }, env)
  const shop = spawn(process.execPath, [shopProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(shop.stdout, 'data')
  await browser.call('browser_navigate', { url: String(line).trim() })
  return {
    async run(steps) {
      const before = model.requests.length
      const calls = await loop({ model, browser, steps })
      assertCount('actions', { expected: steps, actual: calls })
      const requests = model.requests.slice(before)
      assertCount('model requests', { expected: steps + 1, actual: requests.length })
      return requests
    },
    async byHand(steps) {
      for (let step = 0; step < steps; step += 1) {
        const user = await browser.user()
        await user.call(action.name, action.input)
        await user.call('browser_snapshot', {})
      }
    },
    async close() {
      await browser.close()
      shop.kill()
      await model[Symbol.asyncDispose]()
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

interface LoopRun {
  readonly model: ModelServer
  readonly browser: Server
  readonly steps: number
}

/** Runs the loop and returns the number of actions. */
async function loop({ model, browser, steps }: LoopRun): Promise<number> {
  let calls = 0
  const emit = ({ type }: { readonly type: string }): void => {
    if (type === 'tool-call') calls += 1
  }
  const reports = {
    tools: [],
    session: { call: async () => ({ text: '', isError: false, parts: [] }), close: async () => {} },
  }
  const choice = { provider: 'openai', model: 'gpt-5.2', apiKey: 'scripted', baseURL: `${model.url}/v1` } as const // a name
  const created = await createModel(choice)
  await runModel({
    watched: new WatchedModel(created.model, () => {}),
    providerOptions: created.providerOptions,
    task: {
      model: choice,
      systemPrompt: 'Carry out the specification.',
      maxModelSteps: steps + 1,
    },
    texts: [String(steps)],
    offered: offeredTools({ reports, others: new Map(), [Symbol.asyncDispose]: async () => {} }, { browser, emit }),
    signal: new AbortController().signal,
    emit,
  })
  return calls
}
