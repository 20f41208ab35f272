import { dirname, join } from 'node:path'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import type { AgentRequest, CliAgent } from '../../agents/agent.ts'
import { readEnvFile } from '../../agents/env-file.ts'
import type { Equipment } from '../../agents/preparation.ts'
import { buildPrompt } from '../../agents/prompt.ts'
import { withoutProxyForLoopback } from '../../agents/report-access.ts'
import { resolveSpecAgent } from '../../agents/resolve-agent.ts'
import { reserveLogs, type LogPaths } from '../../records/folders/log-paths.ts'
import { settingSecrets } from '../../spec/front-matter/mcp-secrets.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { Command } from '../../system/process/command.ts'
import { openRedactor, type Redactor } from '../../system/redaction/open-redactor.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { BlockedCode } from '../../verdict/verdict.ts'
import { hashFiles } from '../guard/file-state.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { LoginFailed, NotStarted, type AgentContext, type AgentTask, type NotReady } from './agent-task.ts'
import { describeUsedUp, remainingCostUsd, type Budgets } from './budget.ts'
import { chooseExecutor, confine } from './confine-agent.ts'
import { lendExecutor, prepareReports, type PreparedReports } from './lend-tools.ts'
import { signIn, type LogIn } from './log-in-users.ts'
import { describeLeftChanges, specFilesOf, watchScenario } from './guard-agent-run.ts'

export interface Start extends Pick<AgentTask, 'request' | 'context' | 'runId' | 'startedAtMs' | 'releases'> {
  /** Signs a user in and returns a file with cookies and storage. Absent if this agent itself carries out a login. */
  readonly logIn?: LogIn
  readonly storageStateOut?: string
}

/** Checks and creates everything that an agent needs before it starts on a scenario. @throws {NotStarted} */
export async function prepareAgent(start: Start): Promise<AgentTask> {
  const { request, context, releases, storageStateOut } = start
  const { processes, terminal } = context
  const { agent, file: agentFile } = findAgent(request, context)
  const usedUp = describeUsedUp(context.spending.total, context.runBudget)
  if (usedUp !== undefined) throw new NotStarted(agent.name, { code: 'AGENT_BUDGET', message: usedUp })
  const left = describeLeftChanges(request, context.guard)
  if (left !== undefined) throw new NotStarted(agent.name, { code: 'SOURCE_MODIFIED', message: left })
  const env = { ...agentEnvironment(context.env), ...request.env }
  const isInTerminal = terminal !== undefined && agent.interface !== undefined
  const { mode, ...choice } = await chooseExecutor(agent, request, { env, isInTerminal })
  const { redact } = redactorOf(request, context)
  const orNotStarted = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (context.signal.aborted) throw new NotStarted(agent.name, 'canceled')
      const login = error instanceof LoginFailed ? error.record : undefined
      throw new NotStarted(agent.name, notReady(error, redact), login)
    })
  const { maxCostUsd, maxTokens } = request.settings
  const budgets: Budgets = { scenario: { maxCostUsd, maxTokens }, run: context.runBudget }
  const costLimitUsd = remainingCostUsd(budgets, context.spending.total)
  const { ready, storageStates } = await orNotStarted(makeReady(agent, start, costLimitUsd))
  const logs = await prepareLogs(start)
  const specHashes = hashFiles(specFilesOf(request))
  const sources = await watchScenario(request, { ...context, logs, agentFile, releases })
  const makeHome = (): string => releases.makeFolder(processes, 'makeBrowserDir')
  const place = { cwd: request.cwd, evidenceDir: logs.evidence, storageStates, storageStateOut }
  const equipment = ready.equip({ ...place, makeHome })
  equipment.actAs?.(request.steps[0]?.actsAs ?? '')
  const { mcpServers } = equipment
  // The agent `browser` is part of mdtest and needs no executor.
  const isLent = mode === 'mdtest' && agent.confinement !== 'mdtest'
  const executor = isLent ? await orNotStarted(lendExecutor(start, { logs, env, mcpServers })) : undefined
  const ownEquipment = { ...equipment, mcpServers: isLent ? {} : mcpServers }
  const reports = await prepareReports(agent, start, { ...ownEquipment, executor })
  const screen = terminal &&
    agent.interface && {
      ...terminal,
      interface: agent.interface,
      notesFile: join(releases.makeFolder(processes), 'notes.jsonl'),
    }
  const task: PreparedTask = {
    ...start,
    ...choice,
    ...{ agent, budgets, logs, specHashes, sources, executor, screen },
    redactor: redactorOf(request, context, reports?.access),
    stepReports: reports?.stepReports,
  }
  const command = agentCommand(task, { env, costLimitUsd, equipment: ownEquipment, access: reports?.access })
  const ownFiles = [reports?.access.configFile, equipment.settingsHome]
  const confined = mode === 'agent' ? undefined : await confineAgent(task, command, { agentFile, ownFiles })
  return { ...task, command, usedExecutor: undefined, ...confined, launcher: await processes.launcher() }
}

function findAgent({ specAgent, cwd, steps }: ScenarioRequest, { agent: option, env }: AgentContext) {
  const isCodeAlone = steps.every((step) => step.isCodeAlone)
  const resolved = resolveSpecAgent(specAgent, { option, isCodeAlone, path: env.PATH ?? '', cwd })
  if (!resolved.ok) throw new NotStarted(specAgent, { code: 'AGENT_NOT_FOUND', message: resolved.error.message })
  return resolved
}

function redactorOf(
  { settings, env, root }: ScenarioRequest,
  context: AgentContext,
  access?: PreparedReports['access'],
): Redactor {
  const envs = [context.env, env, readEnvFile(root)]
  const { names, others } = settingSecrets(settings)
  const own = access ? [{ name: 'MDTEST_REPORT_TOKEN', value: access.token }] : []
  return openRedactor(envs, { names, others: [...others, ...own] }).redactor
}

async function makeReady(agent: CliAgent, { request, context, logIn }: Start, costLimitUsd: number | undefined) {
  const { settings, needsBrowser, steps, root } = request
  const { browser, mcpServers } = settings
  const { browsers, env } = context
  const stepCount = steps.length
  const ready = await agent.prepare({ mcpServers, needsBrowser, browser, stepCount, costLimitUsd, root, env, browsers })
  const users = [...new Set(steps.map(({ actsAs = '' }) => actsAs))]
  if (logIn === undefined || !ready.takesLogin) return { ready, storageStates: {} }
  const place = { ...request, settings: browser }
  const states = users.map(async (user) => [user, await signIn(user, { place, context, logIn })] as const)
  return { ready, storageStates: Object.fromEntries(await Promise.all(states)) }
}

/** Hides secrets in the message of an `MdtestError`, such as a provider's key. @throws any other error */
export function notReady(error: unknown, redact: Redact): NotReady {
  if (!(error instanceof MdtestError)) throw error
  return { code: codes.get(error.code) ?? 'AGENT_NOT_FOUND', message: redact(error.message) }
}

const codes: ReadonlyMap<string, BlockedCode> = new Map([
  ['AGENT_BUDGET', 'AGENT_BUDGET'],
  ['AGENT_BROWSER_UNAVAILABLE', 'BROWSER_UNAVAILABLE'],
  ['AGENT_MCP_UNAVAILABLE', 'MCP_UNAVAILABLE'],
  ['LOGIN_FAILED', 'LOGIN_FAILED'],
])

function prepareLogs({ request, context, startedAtMs }: Start): Promise<LogPaths> {
  const { specFile, root, settings } = request
  const { dir, keep } = settings.logs
  const now = new Date(startedAtMs)
  return reserveLogs({ specFile, root, now, keep, keepSince: context.startedAt, ...(dir !== undefined && { dir }) })
}

type PreparedTask = Omit<AgentTask, 'command' | 'usedExecutor' | 'launcher'>

interface CommandParts {
  readonly env: Command['env']
  readonly costLimitUsd: number | undefined
  readonly equipment: Equipment
  readonly access: PreparedReports['access'] | undefined
}

function agentCommand(task: PreparedTask, { env, costLimitUsd, equipment, access }: CommandParts): Command {
  const { agent, request, runId, logs, executor, screen } = task
  const { specFile, includedFiles, cwd, root, steps, parts, settings } = request
  const { allow, network, dangerouslyAllowAllActions, browser } = settings
  const isOfUsers = steps.some(({ actsAs = '' }) => actsAs !== '')
  const files = { specFile, includedFiles, logFile: logs.log }
  const prompt = (agent.buildPrompt ?? buildPrompt)({
    ...request,
    ...files,
    runId,
    steps: isOfUsers ? steps.map((step) => ({ ...step, user: step.actsAs ?? '' })) : steps,
    isCopy: request.specCopy !== undefined,
    baseUrl: browser.baseUrl,
    ...(access && { reports: { evidenceDir: logs.evidence } }),
    ...(executor && { executor: { scratchDir: executor.scratchDir } }),
  })
  const agentRequest: AgentRequest = {
    ...files,
    prompt,
    cwd,
    root,
    allow,
    network,
    dangerouslyAllowAllActions,
    ...(parts && { parts }),
    env: access ? withoutProxyForLoopback(env) : env,
    ...(costLimitUsd !== undefined && { maxCostUsd: costLimitUsd }),
    ...(access && { reports: access }),
    ...(executor && { executor: { tools: executor.toolNames } }),
    ...equipment,
  }
  if (screen === undefined) return agent.buildCommand(agentRequest)
  return screen.interface.buildCommand({ ...agentRequest, notesFile: screen.notesFile })
}

function confineAgent(
  { agent, request, logs, screen }: PreparedTask,
  command: Command,
  { agentFile, ownFiles }: { readonly agentFile: string; readonly ownFiles: readonly (string | undefined)[] },
): ReturnType<typeof confine> {
  const { cwd, root, settings } = request
  return confine(agent, command, {
    sandbox: settings.sandbox,
    readable: [cwd, root, ...specFilesOf(request), logs.dir, ...ownFiles.flatMap((file) => file || [])],
    // Hooks of the agent's interface write notes into this folder.
    writable: screen === undefined ? [] : [dirname(screen.notesFile)],
    programs: [agentFile, ...(agent.ownWords ?? [])],
  })
}
