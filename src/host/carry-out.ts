import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { AgentRequest, CliAgent, ReportAccess } from '../agents/agent.ts'
import { agentEnvironment } from '../agents/agent-environment.ts'
import { buildPrompt } from '../agents/prompt.ts'
import { reportConfig, withoutProxyForLoopback } from '../agents/report-access.ts'
import type { AgentChoice } from '../agents/resolve-agent.ts'
import { resolveSpecAgent } from '../agents/resolve-spec-agent.ts'
import type { Command } from '../exec/command.ts'
import { reserveLogs, type LogPaths } from '../result-log/log-paths.ts'
import { openRedactor } from '../shared/open-redactor.ts'
import { startAgentRun, type AgentRun, type Screen } from './agent-run.ts'
import type { AgentTerminal } from './agent-terminal.ts'
import { describeUsedUp, remainingCostUsd, type Budget, type Budgets } from './budget.ts'
import { hashFiles } from './hash-file.ts'
import { notesFileIn } from './interface-run.ts'
import type { LiveTrees } from '../exec/live-trees.ts'
import { notStarted } from './not-started.ts'
import type { OwnWrites } from './own-writes.ts'
import type { Progress } from './progress.ts'
import type { ScenarioRequest } from './protocol.ts'
import { ReportDesk } from './report-desk.ts'
import type { OpenDesk, ReportServer } from './report-server.ts'
import { watchSources, type SnapshotCache, type SourceWatch } from './source-watch.ts'
import type { Spending } from './spending.ts'

/** What agents are started with. */
export interface CarryOutContext {
  readonly agent: AgentChoice | 'none'
  readonly env: NodeJS.ProcessEnv
  readonly processes: LiveTrees
  readonly runMark: string
  /** Start of the run: its logs are never pruned. */
  readonly startedAt: Date
  readonly now: () => Date
  /** The server that all scenarios of the run report to, started when it is first asked for. */
  readonly reportServer: () => Promise<ReportServer>
  /** Files guarded besides those that git tracks. */
  readonly guardedFiles?: readonly string[]
  readonly snapshots: SnapshotCache
  /** What mdtest itself rewrites while agents are at work. */
  readonly ownWrites: OwnWrites
  /** What all agents of the run use. */
  readonly spending: Spending
  /** What they may use, taken together. */
  readonly runBudget: Budget
  readonly signal: AbortSignal
  /**
   * Time for closing words, in milliseconds, before an agent that is done is ended.
   * @default 60_000
   */
  readonly closingMs?: number
  /** Where the agent is shown in its own interface, if it has one. */
  readonly terminal?: AgentTerminal | undefined
  /** Told what the agent is at. */
  readonly progress?: Progress | undefined
}

/** Has one agent carry out one scenario, to whatever end. Never rejects for anything the agent does. */
export async function carryOut(request: ScenarioRequest, context: CarryOutContext): Promise<AgentRun> {
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
  const { maxCostUsd, maxTokens } = request.settings
  const budgets: Budgets = { scenario: { maxCostUsd, maxTokens }, run: context.runBudget }
  const costLimitUsd = remainingCostUsd(budgets, context.spending.total)
  const logs = await reserveLogs({
    specFile: request.specFile,
    root: request.root,
    now: new Date(startedAtMs),
    keep: request.settings.logs.keep,
    keepSince: context.startedAt,
    ...(request.settings.logs.dir !== undefined && { dir: request.settings.logs.dir }),
  })
  const specHashes = hashFiles([request.specFile, ...request.includedFiles])
  const sources = await watch(request, logs, context)
  const desk = await openDesk(agent, request, context)
  const access = desk && (await giveAccess(agent, desk.open, context))
  const screen = screenFor(agent, context)
  const { redactor } = openRedactor({
    envs: [context.env, request.env],
    names: request.settings.secrets,
    others: access === undefined ? [] : [{ name: 'MDTEST_REPORT_TOKEN', value: access.reports.token }],
  })
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
      if (screen) await removeFolder(screen.notesFolder)
    },
  })
}

function watch(
  { root, specFile, includedFiles, writes, settings }: ScenarioRequest,
  logs: LogPaths,
  { guardedFiles = [], snapshots, ownWrites, env, now, signal }: CarryOutContext,
): Promise<SourceWatch> {
  const logFolders = [dirname(logs.log), ...(settings.logs.dir === undefined ? [] : [resolve(root, settings.logs.dir)])]
  const exempt = [specFile, ...includedFiles, ...logFolders]
  return watchSources({ root, extraFiles: guardedFiles, env, now, signal, cache: snapshots, writes, exempt, ownWrites })
}

interface Opened {
  readonly desk: ReportDesk
  readonly open: OpenDesk
}

async function openDesk(
  agent: CliAgent,
  { steps }: ScenarioRequest,
  { reportServer, now }: CarryOutContext,
): Promise<Opened | undefined> {
  if (agent.reports === 'none' || steps.length === 0) return undefined
  const desk = new ReportDesk({ steps: steps.map(({ id }) => id), now })
  return { desk, open: (await reportServer()).open(desk) }
}

interface Access {
  readonly reports: ReportAccess
  remove(): Promise<void>
}

async function giveAccess(agent: CliAgent, { url, token }: OpenDesk, { processes }: CarryOutContext): Promise<Access> {
  if (agent.reports !== 'file') return { reports: { url, token, configFile: '' }, remove: async () => {} }
  const folder = processes.makeTempDir()
  const reports = { url, token, configFile: join(folder, 'mcp.json') }
  await writeFile(reports.configFile, reportConfig(reports), { mode: 0o600 })
  return { reports, remove: () => removeFolder(folder) }
}

function screenFor(agent: CliAgent, { terminal, processes }: CarryOutContext): Screen | undefined {
  if (terminal === undefined || agent.interface === undefined) return undefined
  return { ...terminal, interface: agent.interface, notesFolder: processes.makeTempDir() }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 })
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
}

function commandFor(agent: CliAgent, { request, logs, runId, env, access, costLimitUsd, screen }: Task): Command {
  const { settings } = request
  const ownEnv = { ...agentEnvironment(env), ...request.env }
  const prompt = buildPrompt({
    specFile: request.specFile,
    includedFiles: request.includedFiles,
    logFile: logs.log,
    runId,
    steps: request.steps,
    otherSteps: request.otherSteps,
    hooks: { setupProse: request.hasSetupProse, teardownProse: request.hasTeardownProse },
    ...(request.scenarioTitle !== undefined && { scenarioTitle: request.scenarioTitle }),
    isCopy: request.specCopy !== undefined,
    ...(access && { reports: { evidenceDir: logs.evidence } }),
  })
  const agentRequest: AgentRequest = {
    prompt,
    cwd: request.cwd,
    specFile: request.specFile,
    includedFiles: request.includedFiles,
    logFile: logs.log,
    env: access ? withoutProxyForLoopback(ownEnv) : ownEnv,
    allow: settings.allow,
    network: settings.network,
    dangerouslyAllowAllActions: settings.dangerouslyAllowAllActions,
    ...(costLimitUsd !== undefined && { maxCostUsd: costLimitUsd }),
    ...(access && { reports: access }),
  }
  if (screen === undefined) return agent.buildCommand(agentRequest)
  return screen.interface.buildCommand({ ...agentRequest, notesFile: notesFileIn(screen.notesFolder) })
}
