import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CliAgent, ReportAccess } from '../../agents/agent.ts'
import type { AttachedServers } from '../../agents/attached-servers.ts'
import { mcpConfig } from '../../agents/report-access.ts'
import type { Secret } from '../../system/redaction/redact-secrets.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { Executor } from '../executor/executor.ts'
import { StepReports } from '../reports/step-reports.ts'
import type { AgentContext } from './agent-task.ts'
import type { Releases } from './releases.ts'
import { removeTemporary } from '../../system/files/write-file.ts'

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
