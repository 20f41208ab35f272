import type { CliAgent } from '../../agents/agent.ts'
import type { AttachedServers } from '../../agents/attached-servers.ts'
import { offeredNames, playwrightServer } from '../../agents/browser/playwright-server.ts'
import type { BrowserLaunch, BrowserPart } from '../../agents/browser/browser-task.ts'
import { withEnvFile } from '../../agents/browser/read-env-file.ts'
import type { ModelChoice } from '../../agents/browser/resolve-model.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { removeTemporary } from '../../system/files/remove.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { BlockedCode } from '../../verdict/verdict.ts'
import type { Browsers } from './browsers.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { Releases } from './releases.ts'

/** What an agent's browser starts with, or why there is none. */
export type BrowserReadiness = ReadyBrowser | BrowserUnavailable

/** What an agent's browser is started with. */
export interface ReadyBrowser {
  readonly ok: true
  /** Program of Chrome or Chromium; absent where the spec asks for no browser. */
  readonly executablePath?: string
  /** For an agent that drives its browser itself. */
  readonly model?: ModelChoice
  /** Absolute path of a file with cookies and storage to begin with. */
  readonly storageState?: string
}

/** Why an agent cannot be started, in the words of a verdict. */
export interface BrowserUnavailable {
  readonly ok: false
  readonly code: BlockedCode
  /** With what to do about it. */
  readonly message: string
}

interface ReadinessContext {
  readonly browsers: Browsers
  readonly env: NodeJS.ProcessEnv
  /** A provider's answer may hold the key. */
  readonly redact: Redact
}

/** Finds the browser and the model that the agent needs. */
export async function readyBrowser(
  agent: Pick<CliAgent, 'drivesBrowser'>,
  { settings, needsBrowser, root }: Pick<ScenarioRequest, 'settings' | 'needsBrowser' | 'root'>,
  { browsers, env, redact }: ReadinessContext,
): Promise<BrowserReadiness> {
  try {
    if (agent.drivesBrowser === true)
      return { ok: true, ...(await browsers.ready(settings.browser, withEnvFile(env, root))) }
    return needsBrowser ? { ok: true, executablePath: await browsers.program(env) } : { ok: true }
  } catch (error: unknown) {
    return browserUnavailable(error, redact)
  }
}

/** @throws all that is no error of a set-up */
export function browserUnavailable(error: unknown, redact: Redact): BrowserUnavailable {
  if (!(error instanceof MdtestError)) throw error
  return { ok: false, code: codes.get(error.code) ?? 'AGENT_NOT_FOUND', message: redact(error.message) }
}

const codes: ReadonlyMap<string, BlockedCode> = new Map([
  ['AGENT_AUTH', 'AGENT_AUTH'],
  ['AGENT_BUDGET', 'AGENT_BUDGET'],
  ['AGENT_MODEL_UNAVAILABLE', 'MODEL_UNAVAILABLE'],
  ['AGENT_LOGIN_FAILED', 'LOGIN_FAILED'],
])

/** The scenario's own browser. */
export interface ProvisionedBrowser {
  /** For an agent that drives its browser itself. */
  readonly part?: BrowserPart
  /** All MCP servers but mdtest's own. Any other agent gets Playwright's among them. */
  readonly mcpServers: AttachedServers
}

interface ProvisionContext {
  readonly ready: ReadyBrowser
  readonly logs: Pick<LogPaths, 'evidence'>
  readonly env: NodeJS.ProcessEnv
  readonly processes: LiveTrees
  /** Where to leave cookies and storage at the end, if anywhere. */
  readonly storageStateOut: string | undefined
  readonly releases: Releases
}

/** Makes the private folder of the scenario's browser, and tells the agent how to start it. */
export function provisionBrowser(
  { settings, steps }: Pick<ScenarioRequest, 'settings' | 'steps'>,
  { ready, logs, env, processes, storageStateOut, releases }: ProvisionContext,
): ProvisionedBrowser {
  const { executablePath, model, storageState } = ready
  const { mcpServers, browser } = settings
  if (executablePath === undefined) return { mcpServers }
  const home = processes.makeBrowserDir()
  releases.add(() => removeTemporary(home))
  const launch: BrowserLaunch = {
    home,
    executablePath,
    isHeaded: browser.isHeaded,
    // Chromium has no sandbox for root, and does not start with one.
    isSandboxed: process.getuid?.() !== 0,
    ...(storageState !== undefined && { storageState }),
  }
  const evidenceDir = logs.evidence
  if (model === undefined) {
    const playwright = { ...playwrightServer({ launch, evidenceDir, env }), tools: offeredNames }
    return { mcpServers: { playwright, ...mcpServers } }
  }
  const { maxModelSteps } = browser
  const stepCount = steps.length
  const part = {
    model,
    launch,
    maxModelSteps,
    stepCount,
    evidenceDir,
    ...(storageStateOut !== undefined && { storageStateOut }),
  }
  return { part, mcpServers }
}
