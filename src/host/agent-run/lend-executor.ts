import type { CliAgent } from '../../agents/agent.ts'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import type { AttachedServers } from '../../agents/attached-servers.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import type { Executor } from '../executor/executor.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { AgentContext } from './agent-task.ts'
import type { Releases } from './releases.ts'
import { removeTemporary } from '../../system/files/write-file.ts'

/** What mdtest does for an agent, and what that has of its own. */
export interface LentExecutor {
  /** Absent where the agent acts itself. */
  readonly executor: Executor | undefined
  /** MCP servers that the agent starts itself. */
  readonly mcpServers: AttachedServers
}

export interface LendingContext extends AgentContext {
  /** All that the scenario asks for. */
  readonly mcpServers: AttachedServers
  /** Who executes. */
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
