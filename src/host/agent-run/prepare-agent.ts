import type { CliAgent } from '../../agents/agent.ts'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import { readEnvFile } from '../../agents/env-file.ts'
import type { Equipment, ReadyAgent } from '../../agents/preparation.ts'
import { resolveSpecAgent } from '../../agents/resolve-agent.ts'
import { reserveLogs, type LogPaths } from '../../records/folders/log-paths.ts'
import { settingSecrets } from '../../spec/front-matter/secrets.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { UsedExecutor } from '../../records/used-executor.ts'
import type { Command } from '../../system/process/command.ts'
import { openRedactor, type Redactor } from '../../system/redaction/redact.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { Secret } from '../../system/redaction/redact-secrets.ts'
import type { AgentEnding, BlockedCode } from '../../verdict/verdict.ts'
import { hashFiles } from '../guard/file-state.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { AgentContext, AgentTask, Screen } from './agent-task.ts'
import { chooseExecutor, lastWay, confine } from './confine-agent.ts'
import { describeUsedUp, remainingCostUsd, type Budgets } from './budget.ts'
import { lendExecutor, prepareReports, type PreparedReports } from './lend-tools.ts'
import { prepareCommand } from './prepare-command.ts'
import type { Releases } from './releases.ts'
import { findLogin } from './run-login.ts'
import { findLeftChanges, watchScenario, specFilesOf } from './watch-scenario.ts'
import { removeTemporary } from '../../system/files/write-file.ts'

/** Thrown where an agent is not to be started; the scenario ends as it says. */
export class NotStarted extends Error {
  readonly agent: string
  readonly ending: AgentEnding

  constructor(agent: string, ending: AgentEnding) {
    super(`The agent ${agent} is not started.`)
    this.agent = agent
    this.ending = ending
  }
}

/** The part of a scenario in a login: its browser saves one to a file, or begins with one. */
export type LoginPart =
  /** Absolute path of the file for cookies and storage. */
  | { readonly storageStateOut: string; readonly logIn?: never }
  /** Carries out the login in this file; gives the absolute path of a file with cookies and storage. */
  | { readonly logIn: (file: string) => Promise<string>; readonly storageStateOut?: never }

/** When a run of an agent began, and its mark in the result log. */
export type RunIdentity = Pick<AgentTask, 'runId' | 'startedAtMs'>

type PreparationContext = AgentContext & RunIdentity & LoginPart & { readonly releases: Releases }

/**
 * Checks and makes, in order, all that an agent's program needs before it starts on a scenario. Notes what it makes in
 * `releases`; the task releases that at the agent's end.
 *
 * @throws {NotStarted}
 */
export async function prepareAgent(request: ScenarioRequest, given: PreparationContext): Promise<AgentTask> {
  const { runId, startedAtMs, releases, logIn: _logIn, storageStateOut, ...context } = given
  const chosen = await chooseAgent(request, context)
  const { agent, agentFile, mode, whyItself, unrecordable } = chosen
  const { maxCostUsd, maxTokens } = request.settings
  const budgets: Budgets = { scenario: { maxCostUsd, maxTokens }, run: context.runBudget }
  const costLimitUsd = remainingCostUsd(budgets, context.spending.total)
  const redactorWith = prepareRedactor(request, context)
  const { redact } = redactorWith([])
  const { ready, storageState } = await makeReady(agent, request, { ...given, costLimitUsd, redact })
  const logs = await prepareLogs(request, given)
  const specHashes = hashFiles(specFilesOf(request))
  const sources = await watchScenario(request, { ...context, logs, agentFile, releases })
  const makeHome = (): string => makeFolder(context.processes.makeBrowserDir(), releases)
  const equipment = ready.equip({ evidenceDir: logs.evidence, makeHome, storageState, storageStateOut })
  const lending = { ...context, ...equipment, mode, logs, releases }
  const { executor, mcpServers } = await lendExecutor(agent, request, lending).catch((error: unknown) => {
    throw new NotStarted(agent.name, context.signal.aborted ? { kind: 'canceled' } : notReady(error, redact))
  })
  const reports = await prepareReports(agent, request, { ...context, mcpServers, executor, releases })
  const screen = prepareScreen(agent, { ...context, releases })
  const prepared = prepareCommand(agent, {
    request,
    logs,
    runId,
    env: context.env,
    access: reports?.access,
    costLimitUsd,
    screen,
    equipment: { ...equipment, mcpServers },
    executor,
  })
  const surroundings = { request, agentFile, logs, reports, screen, ...equipment }
  const confined = mode === 'agent' ? undefined : await confineAgent(agent, prepared, surroundings)
  return {
    agent,
    request,
    context,
    runId,
    startedAtMs,
    budgets,
    executor,
    logs,
    specHashes,
    sources,
    redactor: redactorWith(reports?.secrets ?? []),
    stepReports: reports?.stepReports,
    screen,
    command: confined?.command ?? prepared,
    usedExecutor: confined?.usedExecutor,
    unrecordable,
    whyItself,
    isInTerminal: screen !== undefined,
    launcher: await context.processes.launcher(),
    onEnd: () => releases.releaseAll(),
  }
}

interface ChosenAgent {
  readonly agent: CliAgent
  readonly agentFile: string
  readonly mode: 'agent' | 'mdtest'
  /** Why it executes itself although mdtest was to, if it could. */
  readonly whyItself: string | undefined
  /** Why nothing that it does can be recorded, although that was asked for. */
  readonly unrecordable: string | undefined
}

/** Finds the agent of the spec. Refuses it where the budget is spent, an earlier agent left files changed, or it cannot be kept from the product. */
async function chooseAgent(request: ScenarioRequest, context: AgentContext): Promise<ChosenAgent> {
  const resolved = resolveSpecAgent(request.specAgent, {
    option: context.agent,
    path: context.env.PATH ?? '',
    cwd: request.cwd,
  })
  if (!resolved.ok) throw new NotStarted(request.specAgent, { kind: 'not-found', message: resolved.error.message })
  const { agent, file: agentFile } = resolved
  const usedUp = describeUsedUp(context.spending.total, context.runBudget)
  if (usedUp !== undefined) throw new NotStarted(agent.name, { kind: 'over-budget', message: usedUp })
  const left = await findLeftChanges(request, context)
  if (left !== undefined) throw new NotStarted(agent.name, left)
  const choice = await chooseExecutor(agent, request, {
    env: { ...agentEnvironment(context.env), ...request.env },
    isInTerminal: isInTerminal(agent, context),
  })
  if (!choice.ok) throw unconfined(agent, choice.message)
  const { mode, whyItself, unrecordable } = choice
  return { agent, agentFile, mode, whyItself, unrecordable }
}

function isInTerminal(agent: CliAgent, { terminal }: AgentContext): boolean {
  return terminal !== undefined && agent.interface !== undefined
}

function unconfined({ name }: CliAgent, message: string): NotStarted {
  return new NotStarted(name, { kind: 'not-ready', code: 'EXECUTOR_UNAVAILABLE', message })
}

/** Gives a maker of redactors: for all secrets of the scenario, and for more that come later. */
function prepareRedactor(
  { settings, env, root }: ScenarioRequest,
  context: AgentContext,
): (more: readonly Secret[]) => Redactor {
  const envs = [context.env, env, readEnvFile(root)]
  const known = settingSecrets(settings)
  return (more) => openRedactor({ envs, names: settings.secrets, others: [...known, ...more] }).redactor
}

interface Readiness {
  readonly ready: ReadyAgent
  /** Absolute path of what a login left: cookies and storage. */
  readonly storageState?: string
}

type ReadinessContext = AgentContext &
  Pick<LoginPart, 'logIn'> & { readonly costLimitUsd: number | undefined; readonly redact: Redact }

/** Has the agent's adapter look for all that it needs. Where there is a login, the agent begins with what that left. */
async function makeReady(
  agent: CliAgent,
  request: ScenarioRequest,
  { logIn, redact, costLimitUsd, browsers, env, signal }: ReadinessContext,
): Promise<Readiness> {
  const { settings, needsBrowser, steps, root } = request
  const { browser, mcpServers } = settings
  const stepCount = steps.length
  try {
    const ready = await agent.prepare({
      mcpServers,
      needsBrowser,
      browser,
      stepCount,
      costLimitUsd,
      root,
      env,
      browsers,
    })
    const file = ready.takesLogin && logIn ? findLogin(request) : undefined
    if (logIn === undefined || file === undefined) return { ready }
    const place = { file, ...browser }
    try {
      return { ready, storageState: await browsers.login(place, () => logIn(file)) }
    } catch (error: unknown) {
      if (signal.aborted) browsers.forgetLogin(place)
      throw error
    }
  } catch (error: unknown) {
    throw new NotStarted(agent.name, notReady(error, redact))
  }
}

/**
 * Why an agent cannot be started, in the words of a verdict; what a provider answers may hold the key.
 * @throws what is no error of a set-up
 */
export function notReady(error: unknown, redact: Redact): Extract<AgentEnding, { readonly kind: 'not-ready' }> {
  if (!(error instanceof MdtestError)) throw error
  const code = codes.get(error.code) ?? 'AGENT_NOT_FOUND'
  return { kind: 'not-ready', code, message: redact(error.message) }
}

const codes: ReadonlyMap<string, BlockedCode> = new Map([
  ['AGENT_BUDGET', 'AGENT_BUDGET'],
  ['AGENT_BROWSER_UNAVAILABLE', 'BROWSER_UNAVAILABLE'],
  ['AGENT_MCP_UNAVAILABLE', 'MCP_UNAVAILABLE'],
  ['AGENT_LOGIN_FAILED', 'LOGIN_FAILED'],
])

function makeFolder(folder: string, releases: Releases): string {
  releases.add(() => removeTemporary(folder))
  return folder
}

function prepareLogs(
  { specFile, root, settings }: ScenarioRequest,
  { startedAt, startedAtMs }: Pick<PreparationContext, 'startedAt' | 'startedAtMs'>,
): Promise<LogPaths> {
  const { dir, keep } = settings.logs
  const now = new Date(startedAtMs)
  return reserveLogs({ specFile, root, now, keep, keepSince: startedAt, ...(dir !== undefined && { dir }) })
}

interface Surroundings extends Pick<Equipment, 'settingsHome'> {
  readonly request: ScenarioRequest
  readonly agentFile: string
  readonly logs: LogPaths
  readonly reports: PreparedReports | undefined
  readonly screen: Screen | undefined
}

/** Keeps the agent from the product: mdtest alone is to execute it. */
async function confineAgent(
  agent: CliAgent,
  command: Command,
  { request, agentFile, logs, reports, screen, settingsHome }: Surroundings,
): Promise<{ readonly command: Command; readonly usedExecutor: UsedExecutor }> {
  const { cwd, root, settings } = request
  const configFile = reports?.access.configFile
  const readable = [
    ...[cwd, root, ...specFilesOf(request), logs.dir],
    ...(configFile ? [configFile] : []),
    ...(settingsHome === undefined ? [] : [settingsHome]),
  ]
  // Hooks of its interface write there.
  const writable = screen === undefined ? [] : [screen.notesFolder]
  const programs = [agentFile, ...(agent.ownWords ?? [])]
  const confined = await confine(agent, command, { sandbox: settings.sandbox, lastWay, readable, writable, programs })
  if (!confined.ok) throw unconfined(agent, confined.message)
  const { ok: _ok, command: wrapped, ...usedExecutor } = confined
  return { command: wrapped, usedExecutor }
}

function prepareScreen(
  agent: CliAgent,
  { terminal, processes, releases }: AgentContext & { readonly releases: Releases },
): Screen | undefined {
  if (terminal === undefined || agent.interface === undefined) return undefined
  return { ...terminal, interface: agent.interface, notesFolder: makeFolder(processes.makeTempDir(), releases) }
}
