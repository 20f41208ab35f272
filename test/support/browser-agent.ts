import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import type { AgentEvent } from '../../src/agents/agent.ts'
import type { SignIn } from '../../src/login/secrets-and-origins.ts'
import type { BrowserTask } from '../../src/agents/browser/browser-settings.ts'
import { carryOutTask } from '../../src/agents/browser/model-program/run-task.ts'
import { BrowserServer } from '../../src/agents/browser/tool-server/browser-server.ts'
import { findChrome } from '../../src/agents/browser/browsers.ts'
import type { OwnEvent } from '../../src/agents/agent-program-protocol.ts'
import { startReportServer, type ReportServer } from '../../src/host/agent-reports/report-server.ts'
import { StepReports } from '../../src/host/agent-reports/step-reports.ts'
import type { StepReport } from '../../src/records/result-log/result-log.ts'
import { startModelServer, type ModelReply, type ModelRequest, type ModelScript } from './model-server.ts'
import type { Conversation } from './conversation.ts'

/** Each provider with its model, and where it is below the address of the scripted one. */
export const providers = {
  openai: { model: 'gpt-5.2', base: '/v1' },
  anthropic: { model: 'claude-sonnet-4-5', base: '/v1' },
  azure: { model: 'our-deployment', base: '/openai/v1' },
  google: { model: 'gemini-3-pro-preview', base: '/v1beta' },
} as const // names

export type ProviderName = keyof typeof providers
export const providerNames = Object.keys(providers) as readonly ProviderName[] // keys of a literal

/** Id of the only step. */
export const onlyStep = '1-look'

/** The last words of a model that did what it was asked. */
export const ends: ModelReply = { kind: 'answer', text: 'All is done.' }

/** Replies one after the other; the last one for ever. */
export function replies(...all: readonly ModelReply[]): ModelScript {
  let count = 0
  return () => all[Math.min(count++, all.length - 1)] ?? ends
}

/** A reply that calls one tool. */
export function act(name: string, input: object): ModelReply {
  return { kind: 'answer', calls: [{ name, input: { ...input } }] }
}

/** What the agent said and did. */
export interface AgentWork {
  readonly events: readonly OwnEvent[]
  /** The last one of its kind. */
  readonly error: Extract<AgentEvent, { type: 'error' }> | undefined
  readonly accepted: readonly StepReport[]
  readonly conversations: readonly Conversation[]
  readonly requests: readonly ModelRequest[]
  /** What tools gave to the model, the last request's. */
  readonly results: readonly string[]
}

interface Work extends Partial<Pick<BrowserTask, 'maxModelSteps' | 'baseUrl'>> {
  readonly script: ModelScript
  /** @default 'openai' */
  readonly provider?: ProviderName
  /** Address in place of the scripted model's. */
  readonly url?: string
  readonly signal?: AbortSignal
}

/** It serves all tests of a file. */
class LastingServer extends BrowserServer {
  override async close(): Promise<void> {}

  end(): Promise<void> {
    return super.close()
  }
}

/** The agent `browser` as its program runs it, in this process, with one real browser for all tests of a file. */
export function useBrowserAgent(signIn?: SignIn): {
  /** Absolute path of the folder with all that a run leaves. */
  readonly logs: string
  work(work: Work): Promise<AgentWork>
} {
  const run = mkdtempSync(join(tmpdir(), 'b-'))
  const home = join(run, '1')
  mkdirSync(home)
  const evidenceDir = join(home, 'logs/T')
  const specFile = join(home, 'look.test.md')
  writeFileSync(specFile, '# Look\n\nOpen the start page.\n')
  const launch = {
    home,
    executablePath: findChrome(process.env) ?? '',
    isHeaded: false,
  }
  const place = {
    launch,
    cwd: home,
    evidenceDir,
    ...(signIn && { signIn: { ...signIn, origins: [...signIn.origins] } }),
  }
  const browser = new LastingServer(place, process.env)
  let server: ReportServer | undefined
  beforeAll(async () => {
    await browser.user()
    server = await startReportServer()
  }, 60_000)
  afterAll(async () => {
    await browser.end()
    await server?.close()
    rmSync(run, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  return {
    logs: join(home, 'logs'),
    async work({ script, provider = 'openai', url, signal = new AbortController().signal, ...rest }) {
      await using model = await startModelServer(script)
      const stepReports = new StepReports({ steps: [onlyStep], now: () => new Date() })
      stepReports.listen({ onReport: () => setImmediate(() => stepReports.direct({ kind: 'finish' })) })
      const endpoint = (server ?? raise()).open(stepReports)
      const { base, model: name } = providers[provider]
      const task: BrowserTask = {
        launch,
        systemPrompt: `Steps:\n- ${onlyStep}: Look`,
        specFiles: [specFile],
        cwd: home,
        model: { provider, model: name, apiKey: 'scripted-key', baseURL: url ?? `${model.url}${base}` },
        reports: endpoint,
        evidenceDir,
        maxModelSteps: 30,
        stepCount: 1,
        mcpServers: {},
        ...rest,
      }
      // The server keeps what it was given.
      Object.assign(place, { baseUrl: rest.baseUrl })
      if (rest.baseUrl !== undefined) place.signIn?.origins.splice(0, 1, new URL(rest.baseUrl).origin)
      const events: OwnEvent[] = []
      await carryOutTask(task, {
        env: {},
        signal,
        emit: (event) => events.push(event),
        browser,
      })
      endpoint.close()
      // The server takes a report in its own time.
      await sleep(0)
      const { conversations, requests } = model
      return {
        events,
        error: events.findLast((event) => event.type === 'error'),
        accepted: stepReports.accepted,
        conversations,
        requests,
        results: conversations.at(-1)?.results.map(({ text }) => text) ?? [],
      }
    },
  }
}

function raise(): never {
  throw new Error('The browser is not open.')
}
