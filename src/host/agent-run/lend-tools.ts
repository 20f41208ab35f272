import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import type { CliAgent, ReportAccess } from '../../agents/agent.ts'
import type { Equipment } from '../../agents/preparation.ts'
import type { McpServers } from '../../spec/front-matter/front-matter.ts'
import { mcpConfig } from '../../agents/report-access.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import { removeTemporary } from '../../system/files/write-file.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { Executor } from '../executor/executor.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { StepReports } from '../reports/step-reports.ts'
import type { AgentContext } from './agent-task.ts'

/** Cleanup functions for one agent's resources. Add each function as soon as its resource exists. */
export class Releases {
  readonly #releases: (() => void)[] = []

  add(release: () => void): void {
    this.#releases.push(release)
  }

  makeFolder(processes: LiveTrees, kind: 'makeTempDir' | 'makeBrowserDir' = 'makeTempDir'): string {
    const folder = processes[kind]()
    this.add(() => removeTemporary(folder))
    return folder
  }

  /** Runs all cleanup functions in reverse order, even if one fails. @throws the last error */
  releaseAll(): void {
    const release = this.#releases.pop()
    if (release === undefined) return
    try {
      release()
    } finally {
      this.releaseAll()
    }
  }
}

interface Lending extends Pick<Equipment, 'actAs'> {
  readonly context: AgentContext
  readonly mcpServers: McpServers
  readonly releases: Releases
}

/** @throws {MdtestError} that names an MCP server that cannot be used */
export async function lendExecutor(
  request: ScenarioRequest,
  logs: LogPaths,
  { context, mcpServers, releases }: Lending,
): Promise<Executor> {
  const { executor: worker, processes, runMark, env, signal } = context
  const scratchDir = releases.makeFolder(processes)
  // Imported late, because it loads the parser of command lines.
  const { Executor } = await import('../executor/executor.ts')
  const commandEnv = { ...agentEnvironment(env), ...request.env }
  const executor = await Executor.open({
    worker,
    request,
    scratchDir,
    logs,
    environment: new Set(Object.keys(commandEnv)),
    mcpServers,
    place: {
      cwd: request.cwd,
      env: commandEnv,
      launcher: await processes.launcher(),
      runMark,
      signal,
      onStart: processes.add,
      onEnd: processes.remove,
    },
  })
  releases.add(() => void executor.end())
  return executor
}

export interface PreparedReports {
  readonly stepReports: StepReports
  readonly access: ReportAccess
}

/** Opens the report server for an agent; `undefined` if the agent does not need it. */
export async function prepareReports(
  agent: Pick<CliAgent, 'reports' | 'reportsToExecutor'>,
  { steps }: Pick<ScenarioRequest, 'steps'>,
  { context, mcpServers, actAs, releases, executor }: Lending & { readonly executor: Executor | undefined },
): Promise<PreparedReports | undefined> {
  const way = (executor && agent.reportsToExecutor) ?? agent.reports
  // With an executor, the server is needed even without steps: it provides the only tools that let the agent act.
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
