import type { AgentRequest, CliAgent, ReportAccess } from '../../agents/agent.ts'
import type { Equipment } from '../../agents/preparation.ts'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import { buildPrompt, type PromptParts } from '../../agents/prompt.ts'
import { withoutProxyForLoopback } from '../../agents/report-access.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import type { Command } from '../../system/process/command.ts'
import type { Executor } from '../executor/executor.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { Screen } from './agent-task.ts'
import { notesFileIn } from './terminal-run.ts'

interface CommandTask {
  readonly request: ScenarioRequest
  readonly logs: LogPaths
  readonly runId: string
  readonly env: NodeJS.ProcessEnv
  readonly access: ReportAccess | undefined
  /** In US dollars. */
  readonly costLimitUsd: number | undefined
  readonly screen: Screen | undefined
  readonly equipment: Equipment
  /** Given to an agent that acts by mdtest alone. */
  readonly executor: Pick<Executor, 'scratchDir' | 'toolNames'> | undefined
}

/** The command that starts the agent on its scenario, with the prompt in it. */
export function prepareCommand(agent: CliAgent, task: CommandTask): Command {
  const { request, logs, runId, env, access, costLimitUsd, screen, equipment, executor } = task
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
    isPart: request.parts !== undefined,
    scenarioLines: scenarioLinesOf(request),
    ...(request.scenarioTitle !== undefined && { scenarioTitle: request.scenarioTitle }),
    isCopy: request.specCopy !== undefined,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(access && { reports: { evidenceDir: logs.evidence } }),
    ...(executor && { executor: { scratchDir: executor.scratchDir } }),
  })
  const agentRequest: AgentRequest = {
    prompt,
    cwd: request.cwd,
    specFile: request.specFile,
    root: request.root,
    includedFiles: request.includedFiles,
    ...(request.parts && { parts: request.parts }),
    logFile: logs.log,
    env: access ? withoutProxyForLoopback(ownEnv) : ownEnv,
    allow: settings.allow,
    network: settings.network,
    dangerouslyAllowAllActions: settings.dangerouslyAllowAllActions,
    ...(costLimitUsd !== undefined && { maxCostUsd: costLimitUsd }),
    ...(access && { reports: access }),
    ...(executor && { executor: { tools: executor.toolNames } }),
    ...equipment,
  }
  if (screen === undefined) return agent.buildCommand(agentRequest)
  return screen.interface.buildCommand({ ...agentRequest, notesFile: notesFileIn(screen.notesFolder) })
}

/** Nothing where they are the section with its title. */
function scenarioLinesOf({ parts = [] }: ScenarioRequest): NonNullable<PromptParts['scenarioLines']> {
  const own = parts.flatMap(({ kind, line, endLine = line }) => (kind === 'scenario' ? [{ line, endLine }] : []))
  return own.length > 1 ? own : []
}
