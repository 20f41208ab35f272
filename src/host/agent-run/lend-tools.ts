import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CliAgent, ReportAccess } from '../../agents/agent.ts'
import type { Equipment } from '../../agents/preparation.ts'
import { mcpConfig } from '../../agents/report-access.ts'
import type { Command } from '../../system/process/command.ts'
import type { Executor } from '../executor/executor.ts'
import { StepReports } from '../agent-reports/step-reports.ts'
import type { AgentTask } from './agent-task.ts'

type Lending = Pick<AgentTask, 'request' | 'context' | 'releases'>

/** @throws {MdtestError} if an MCP server cannot be used; the message names the server */
export async function lendExecutor(
  { request, context, releases }: Lending,
  { logs, env, mcpServers }: Pick<AgentTask, 'logs'> & Pick<Command, 'env'> & Pick<Equipment, 'mcpServers'>,
): Promise<Executor> {
  const { executor: worker, processes, runMark, signal } = context
  const scratchDir = releases.makeFolder(processes)
  // Imported only when needed, because these modules load the bash parser.
  const { Executor } = await import('../executor/executor.ts')
  const { openServers } = await import('../executor/lent-servers.ts')
  const servers = await openServers(mcpServers, {
    cwd: request.cwd,
    env,
    launcher: await processes.launcher(),
    runMark,
    signal,
    onStart: processes.add,
    onEnd: processes.remove,
  })
  const environment = new Set(Object.keys(env))
  const executor = new Executor({ worker, request, scratchDir, logs, environment, servers })
  releases.add(() => void executor.end())
  return executor
}

export interface PreparedReports {
  readonly stepReports: StepReports
  readonly access: ReportAccess
}

export async function prepareReports(
  agent: Pick<CliAgent, 'reports' | 'reportsToExecutor'>,
  { request: { steps }, context, releases }: Lending,
  { mcpServers, actAs, executor }: Pick<Equipment, 'mcpServers' | 'actAs'> & Pick<AgentTask, 'executor'>,
): Promise<PreparedReports | undefined> {
  const way = (executor && agent.reportsToExecutor) ?? agent.reports
  // An agent with an executor gets all its tools from the report server, even for a scenario without steps.
  if (way === 'none' || (executor === undefined && steps.length === 0)) return undefined
  const { reportServer, now, processes } = context
  const stepReports = new StepReports({ steps: steps.map(({ id }) => id), now })
  const server = await reportServer()
  const { url, token, close } = server.open(stepReports, executor && ((tools) => executor.addTools(tools)))
  releases.add(close)
  executor?.waitWhile(() => stepReports.isChecking)
  stepReports.listen({
    onReport(isAccepted) {
      executor?.noteReport(isAccepted)
      const next = isAccepted ? steps[stepReports.accepted.length + 1] : undefined
      if (next) actAs?.(next.actsAs ?? '')
    },
  })
  const configFile = way === 'file' ? join(releases.makeFolder(processes), 'mcp.json') : ''
  const access = { url, token, configFile }
  if (configFile !== '') await writeFile(configFile, mcpConfig(mcpServers, access), { mode: 0o600 })
  return { stepReports, access }
}
