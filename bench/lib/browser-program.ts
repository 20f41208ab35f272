import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { BrowserTask } from '../../src/agents/browser/browser-settings.ts'
import { startModelServer, type ModelRequest, type ModelScript } from '../../test/support/model-server.ts'
import { dist } from '../../scripts/lib/run-command.ts'
import { importCompiled } from './import-compiled.ts'
import { assertCount } from './wrong-count.ts'

const { findChrome } =
  await importCompiled<typeof import('../../src/agents/browser/browsers.ts')>('agents/browser/browsers')
const { buildBrowserPrompt } =
  await importCompiled<typeof import('../../src/agents/browser/browser-agent.ts')>('agents/browser/browser-agent')
const { startReportServer } = await importCompiled<typeof import('../../src/host/agent-reports/report-server.ts')>(
  'host/agent-reports/report-server',
)
const { StepReports } = await importCompiled<typeof import('../../src/host/agent-reports/step-reports.ts')>(
  'host/agent-reports/step-reports',
)

/** The path of each provider's API on the scripted model's server. */
export const providers = { openai: '/v1', anthropic: '/v1', azure: '/openai/v1', google: '/v1beta' }

const stepCount = 4
const actionsOfStep = [
  { name: 'browser_navigate', input: { url: '/' } },
  { name: 'browser_press_key', input: { key: 'Tab' } },
  { name: 'browser_find', input: { text: 'products' } },
]
const turnsOfStep = actionsOfStep.length + 1

/** What the agent `browser` sent for one spec. Times count from its start. */
export interface ProgramRun {
  readonly requests: readonly ModelRequest[]
  readonly steps: number
  readonly firstCallMs: number
  readonly lastReportMs: number
}

export interface Programs {
  /** Runs a spec of four steps, each of three actions and a report. */
  run(provider: keyof typeof providers): Promise<ProgramRun>
  close(): Promise<void>
}

const shopProgram = fileURLToPath(new URL('../../fixtures/shop/main.mjs', import.meta.url))

/** Runs the agent `browser` on the shop with a scripted model that answers at once. `undefined` without a browser. */
export async function openPrograms(): Promise<Programs | undefined> {
  const executablePath = findChrome(process.env)
  if (executablePath === undefined) return undefined
  const shop = spawn(process.execPath, [shopProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(shop.stdout, 'data')
  const baseUrl = String(line).trim()
  const reportServer = await startReportServer()
  return {
    run: (provider) => runProgram(provider, { executablePath, baseUrl, reportServer }),
    async close() {
      shop.kill()
      await reportServer.close()
    },
  }
}

interface Surroundings {
  readonly executablePath: string
  readonly baseUrl: string
  readonly reportServer: Awaited<ReturnType<typeof startReportServer>>
}

async function runProgram(provider: keyof typeof providers, surroundings: Surroundings): Promise<ProgramRun> {
  const { executablePath, baseUrl, reportServer } = surroundings
  const model = await startModelServer(scriptFor(baseUrl))
  const home = mkdtempSync(join(tmpdir(), 'b-'))
  const specFile = join(home, 'shop.test.md')
  writeFileSync(specFile, `# Shop\n\n${stepIds.map((id) => `## ${id}\n\nLook at the products.\n`).join('\n')}`)
  const stepReports = new StepReports({ steps: stepIds, now: () => new Date() })
  stepReports.listen({ onReport: () => setImmediate(() => stepReports.direct({ kind: 'go-on' })) })
  const { url, token, close } = reportServer.open(stepReports)
  const launch = { home, executablePath, isHeaded: false }
  const task: BrowserTask = {
    launch,
    systemPrompt: buildBrowserPrompt({
      specFile,
      logFile: join(home, 'logs/T.log.md'),
      runId: 'r',
      baseUrl,
      scenarioTitle: 'Shop',
      steps: stepIds.map((id) => ({ id, title: id, checks: 0 })),
      ...{ includedFiles: [], otherSteps: [], hasSetupProse: false, hasTeardownProse: false },
    }),
    specFiles: [specFile],
    cwd: home,
    baseUrl,
    model: { provider, model: modelNames[provider], apiKey: 'scripted', baseURL: model.url + providers[provider] },
    reports: { url, token },
    evidenceDir: join(home, 'logs/T'),
    maxModelSteps: 100,
    stepCount,
    mcpServers: {},
  }
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, [join(dist, 'agents/browser/model-program/main.js')], {
    env: { ...process.env, https_proxy: 'http://127.0.0.1:9' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(`${JSON.stringify(task)}\n`)
  try {
    const calls = await readCalls(child, startedAtMs)
    const reports = calls.filter(({ tool }) => tool.endsWith('report_step'))
    assertCount('calls', { expected: stepCount * turnsOfStep, actual: calls.length })
    assertCount('accepted reports', { expected: stepCount, actual: stepReports.accepted.length })
    const times = { firstCallMs: calls[0]?.atMs ?? 0, lastReportMs: reports.at(-1)?.atMs ?? 0 }
    return { requests: model.requests, steps: stepCount, ...times }
  } finally {
    close()
    await model[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

const stepIds = Array.from({ length: stepCount }, (_, index) => `${index + 1}-look`)
const modelNames = {
  openai: 'gpt-5.2',
  anthropic: 'claude-sonnet-4-5',
  azure: 'gpt-5.2',
  google: 'gemini-3-pro-preview',
}

function scriptFor(baseUrl: string): ModelScript {
  return ({ results }) => {
    const step = stepIds[Math.floor(results.length / turnsOfStep)]
    if (step === undefined) return { kind: 'answer', text: 'Done.' }
    const action = actionsOfStep[results.length % turnsOfStep]
    if (action === undefined) {
      return {
        kind: 'answer',
        calls: [{ name: 'report_step', input: { step, status: 'pass', observed: 'Products.' } }],
      }
    }
    const { name, input } = action
    return { kind: 'answer', calls: [{ name, input: 'url' in input ? { url: `${baseUrl}/` } : input }] }
  }
}

interface TimedCall {
  readonly tool: string
  readonly atMs: number
}

async function readCalls(child: ChildProcess, startedAtMs: number): Promise<readonly TimedCall[]> {
  const calls: TimedCall[] = []
  const ended = once(child, 'close')
  if (child.stdout === null) throw new Error('a program without output')
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{"type":"error"')) throw new Error(line)
    const tool = /^\{"type":"tool-call".*?"tool":"([^"]*)"/.exec(line)?.[1]
    if (tool !== undefined) calls.push({ tool, atMs: performance.now() - startedAtMs })
  }
  await ended
  return calls
}
