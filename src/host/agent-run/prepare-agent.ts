import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRequest, CliAgent, ReportAccess } from '../../agents/agent.ts'
import { readEnvFile } from '../../agents/browser/read-env-file.ts'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import { buildPrompt } from '../../agents/prompt.ts'
import { mcpConfig, withoutProxyForLoopback } from '../../agents/report-access.ts'
import { resolveSpecAgent } from '../../agents/resolve-spec-agent.ts'
import type { Command } from '../../system/process/command.ts'
import { reserveLogs, type LogPaths } from '../../records/folders/log-paths.ts'
import { removeTemporary } from '../../system/files/remove.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { Secret } from '../../system/redaction/redact-secrets.ts'
import { mcpSecrets } from '../../spec/front-matter/mcp-secrets.ts'
import { startAgentRun, type AgentRun, type Screen } from './agent-run.ts'
import { describeUsedUp, remainingCostUsd, type Budgets } from './budget.ts'
import type { AgentContext } from './agent-context.ts'
import { runLogin, findLogin } from './run-login.ts'
import { provisionBrowser, browserUnavailable, readyBrowser, type BrowserReadiness, type ProvisionedBrowser } from './provision-browser.ts'
import { hashFiles } from '../guard/hash-file.ts'
import { notesFileIn } from './interface-run.ts'
import { notStarted } from './start-agent.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { ReportDesk } from '../reports/report-desk.ts'
import type { OpenDesk } from '../reports/report-server.ts'
import { findLeftChanges, watchScenario } from './watch-scenario.ts'

/** Has one agent carry out one scenario, to whatever end. Never rejects for anything the agent does. */
export function carryOut(request: ScenarioRequest, context: AgentContext): Promise<AgentRun> {
  return carryOutTo(request, context)
}

/** @param storageStateOut where the browser of a login leaves cookies and storage */
async function carryOutTo(
  request: ScenarioRequest,
  context: AgentContext,
  storageStateOut?: string,
): Promise<AgentRun> {
  const runId = randomBytes(16).toString('hex')
  const startedAtMs = context.now().getTime()
  const resolved = resolveSpecAgent(request.specAgent, {
    option: context.agent,
    path: context.env.PATH ?? '',
    cwd: request.cwd,
  })
  if (!resolved.ok) {
    const ending = { kind: 'not-found', message: resolved.error.message } as const // a literal kind
    return notStarted(request.specAgent, { ending, runId, startedAtMs })
  }
  const { agent } = resolved
  const usedUp = describeUsedUp(context.spending.total, context.runBudget)
  if (usedUp !== undefined) {
    return notStarted(agent.name, { ending: { kind: 'over-budget', message: usedUp }, runId, startedAtMs })
  }
  const left = await findLeftChanges(request, context)
  if (left !== undefined) return notStarted(agent.name, { ending: left, runId, startedAtMs })
  const { maxCostUsd, maxTokens } = request.settings
  const budgets: Budgets = { scenario: { maxCostUsd, maxTokens }, run: context.runBudget }
  const costLimitUsd = remainingCostUsd(budgets, context.spending.total)
  const envs = [context.env, request.env, readEnvFile(request.root)]
  const { secrets: names, mcpServers } = request.settings
  const others = mcpSecrets(mcpServers)
  const { redact } = openRedactor({ envs, names, others }).redactor
  const found = await readyBrowser(agent, request, { ...context, redact })
  const isLogin = storageStateOut !== undefined
  const ready = found.ok && found.model && !isLogin ? await loggedIn(found, request, { ...context, redact }) : found
  if (!ready.ok) {
    const { code, message } = ready
    return notStarted(agent.name, { ending: { kind: 'not-ready', code, message }, runId, startedAtMs })
  }
  const logs = await reserveLogs({
    specFile: request.specFile,
    root: request.root,
    now: new Date(startedAtMs),
    keep: request.settings.logs.keep,
    keepSince: context.startedAt,
    ...(request.settings.logs.dir !== undefined && { dir: request.settings.logs.dir }),
  })
  const specHashes = hashFiles([request.specFile, ...request.includedFiles])
  const sources = await watchScenario(request, { ...context, logs, agentFile: resolved.file })
  const desk = await openDesk(agent, request, context)
  const browser = provisionBrowser(request, { ready, logs, ...context, storageStateOut, removeFolder })
  const access = desk && (await giveAccess(agent, desk.open, { ...context, mcpServers: browser.mcpServers }))
  const screen = screenFor(agent, context)
  const tokens = access === undefined ? [] : [tokenOf(access.reports)]
  const { redactor } = openRedactor({ envs, names, others: [...others, ...tokens] })
  return startAgentRun({
    agent,
    launcher: await context.processes.launcher(),
    command: commandFor(agent, {
      request,
      logs,
      runId,
      env: context.env,
      access: access?.reports,
      costLimitUsd,
      screen,
      browser,
    }),
    screen,
    request,
    logs,
    runId,
    startedAtMs,
    specHashes,
    sources,
    redactor,
    budgets,
    desk: desk?.desk,
    context,
    async onEnd() {
      desk?.open.close()
      await access?.remove()
      await browser.remove()
      if (screen) await removeFolder(screen.notesFolder)
    },
  })
}

function tokenOf({ token }: ReportAccess): Secret {
  return { name: 'MDTEST_REPORT_TOKEN', value: token }
}

/** Where there is a login, a browser begins with what it left. */
async function loggedIn(
  ready: Extract<BrowserReadiness, { ok: true }>,
  request: ScenarioRequest,
  context: AgentContext & { readonly redact: Redact },
): Promise<BrowserReadiness> {
  const file = findLogin(request)
  if (file === undefined) return ready
  const place = { file, baseUrl: request.settings.browser.baseUrl }
  try {
    const login = (): Promise<string> => runLogin(file, { request, context, carryOut: carryOutTo })
    return { ...ready, storageState: await context.browsers.login(place, login) }
  } catch (error: unknown) {
    if (context.signal.aborted) context.browsers.forgetLogin(place)
    return browserUnavailable(error, context.redact)
  }
}

interface Opened {
  readonly desk: ReportDesk
  readonly open: OpenDesk
}

async function openDesk(
  agent: CliAgent,
  { steps }: ScenarioRequest,
  { reportServer, now }: AgentContext,
): Promise<Opened | undefined> {
  if (agent.reports === 'none' || steps.length === 0) return undefined
  const desk = new ReportDesk({ steps: steps.map(({ id }) => id), now })
  return { desk, open: (await reportServer()).open(desk) }
}

interface Access {
  readonly reports: ReportAccess
  remove(): Promise<void>
}

async function giveAccess(
  agent: CliAgent,
  { url, token }: OpenDesk,
  { processes, mcpServers }: Pick<AgentContext, 'processes'> & Pick<ProvisionedBrowser, 'mcpServers'>,
): Promise<Access> {
  if (agent.reports !== 'file') return { reports: { url, token, configFile: '' }, remove: async () => {} }
  const folder = processes.makeTempDir()
  const reports = { url, token, configFile: join(folder, 'mcp.json') }
  await writeFile(reports.configFile, mcpConfig(mcpServers, reports), { mode: 0o600 })
  return { reports, remove: () => removeFolder(folder) }
}

function screenFor(agent: CliAgent, { terminal, processes }: AgentContext): Screen | undefined {
  if (terminal === undefined || agent.interface === undefined) return undefined
  return { ...terminal, interface: agent.interface, notesFolder: processes.makeTempDir() }
}

async function removeFolder(folder: string): Promise<void> {
  removeTemporary(folder)
}

interface Task {
  readonly request: ScenarioRequest
  readonly logs: LogPaths
  readonly runId: string
  readonly env: NodeJS.ProcessEnv
  readonly access: ReportAccess | undefined
  /** In US dollars. */
  readonly costLimitUsd: number | undefined
  readonly screen: Screen | undefined
  readonly browser: ProvisionedBrowser
}

function commandFor(agent: CliAgent, task: Task): Command {
  const { request, logs, runId, env, access, costLimitUsd, screen, browser } = task
  const { settings } = request
  const { baseUrl } = settings.browser
  const ownEnv = { ...agentEnvironment(env), ...request.env }
  const prompt = (agent.buildPrompt ?? buildPrompt)({
    specFile: request.specFile,
    includedFiles: request.includedFiles,
    logFile: logs.log,
    runId,
    steps: request.steps,
    otherSteps: request.otherSteps,
    hooks: { setupProse: request.hasSetupProse, teardownProse: request.hasTeardownProse },
    ...(request.scenarioTitle !== undefined && { scenarioTitle: request.scenarioTitle }),
    isCopy: request.specCopy !== undefined,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(access && { reports: { evidenceDir: logs.evidence } }),
  })
  const agentRequest: AgentRequest = {
    prompt,
    cwd: request.cwd,
    specFile: request.specFile,
    root: request.root,
    includedFiles: request.includedFiles,
    logFile: logs.log,
    env: access ? withoutProxyForLoopback(ownEnv) : ownEnv,
    allow: settings.allow,
    network: settings.network,
    dangerouslyAllowAllActions: settings.dangerouslyAllowAllActions,
    ...(costLimitUsd !== undefined && { maxCostUsd: costLimitUsd }),
    ...(access && { reports: access }),
    mcpServers: browser.mcpServers,
    ...(browser.part && { browser: browser.part }),
  }
  if (screen === undefined) return agent.buildCommand(agentRequest)
  return screen.interface.buildCommand({ ...agentRequest, notesFile: notesFileIn(screen.notesFolder) })
}
