import type { CliAgent, ReportAccess } from '../../agents/agent.ts'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import type { AttachedServers } from '../../agents/attached-servers.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import type { Executor } from '../executor/executor.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { AgentContext } from './agent-task.ts'
import type { Releases } from './releases.ts'
import { removeTemporary } from '../../system/files/write-file.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mcpConfig } from '../../agents/report-access.ts'
import type { Secret } from '../../system/redaction/redact-secrets.ts'
import { StepReports } from '../reports/step-reports.ts'

/** What mdtest does for an agent, and what that has of its own. */
export interface LentExecutor {
  readonly executor: Executor | undefined
  /** MCP servers that the agent starts itself. */
  readonly mcpServers: AttachedServers
}

export interface LendingContext extends AgentContext {
  readonly mcpServers: AttachedServers
  readonly mode: 'agent' | 'mdtest'
  readonly logs: LogPaths
  readonly releases: Releases
}

/**
 * Starts what acts for an agent, with the MCP servers of its scenario. Nothing does for one that acts itself, or that is
 * a part of mdtest.
 *
 * @throws {MdtestError} that names a server that cannot be used
 */
export async function lendExecutor(
  { confinement }: CliAgent,
  request: ScenarioRequest,
  { executor: worker, processes, runMark, env, signal, mcpServers, mode, logs, releases }: LendingContext,
): Promise<LentExecutor> {
  if (mode === 'agent' || confinement === 'mdtest') return { executor: undefined, mcpServers }
  const scratchDir = processes.makeTempDir()
  releases.add(() => removeTemporary(scratchDir))
  // With the parser of command lines.
  const { Executor } = await import('../executor/executor.ts')
  const commandEnv = { ...agentEnvironment(env), ...request.env }
  const place = {
    cwd: request.cwd,
    env: commandEnv,
    launcher: await processes.launcher(),
    runMark,
    signal,
    onStart: processes.add,
    onEnd: processes.remove,
  }
  const executor = await Executor.open({
    worker,
    request,
    scratchDir,
    logs,
    environment: new Set(Object.keys(commandEnv)),
    mcpServers,
    place,
  })
  releases.add(() => void executor.end())
  return { executor, mcpServers: {} }
}

/** Where the reports of one scenario go, and how its agent gets there. */
export interface PreparedReports {
  readonly stepReports: StepReports
  readonly access: ReportAccess
  readonly secrets: readonly Secret[]
}

interface ReportsContext extends Pick<AgentContext, 'reportServer' | 'now' | 'processes'> {
  readonly mcpServers: AttachedServers
  readonly executor: Executor | undefined
  readonly releases: Releases
}

/** Opens the report server to an agent. Gives nothing for an agent that does not report, or has nothing to report. */
export async function prepareReports(
  agent: Pick<CliAgent, 'reports' | 'reportsToExecutor'>,
  { steps }: Pick<ScenarioRequest, 'steps'>,
  { reportServer, now, processes, mcpServers, executor, releases }: ReportsContext,
): Promise<PreparedReports | undefined> {
  const way = (executor && agent.reportsToExecutor) ?? agent.reports
  // Without it an agent that acts by mdtest could do nothing.
  if (way === 'none' || (executor === undefined && steps.length === 0)) return undefined
  const stepReports = new StepReports({ steps: steps.map(({ id }) => id), now })
  const { url, token, close } = (await reportServer()).open(
    stepReports,
    executor && ((server) => executor.addTools(server)),
  )
  releases.add(close)
  executor?.waitWhile(() => stepReports.isChecking)
  stepReports.whenReported((isAccepted) => executor?.noteReport(isAccepted))
  const secrets = [{ name: 'MDTEST_REPORT_TOKEN', value: token }]
  if (way !== 'file') return { stepReports, access: { url, token, configFile: '' }, secrets }
  const folder = processes.makeTempDir()
  releases.add(() => removeTemporary(folder))
  const access = { url, token, configFile: join(folder, 'mcp.json') }
  await writeFile(access.configFile, mcpConfig(mcpServers, access), { mode: 0o600 })
  return { stepReports, access, secrets }
}
