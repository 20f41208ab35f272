import { resolveAgent, type AgentChoice } from '../../agents/resolve-agent.ts'
import type { Fixer } from './gates/fix-gates.ts'
import type { GateConfig } from '../project-config/gate-config.ts'
import { SetUpError } from '../common/set-up-error.ts'
import type { GateFlags } from './flags.ts'

const defaultAttempts = 2

/**
 * Who fixes red gates; `undefined` where no agent was asked for or no attempt is wanted.
 * @throws {SetUpError} for an agent that is not there.
 */
export function chooseFixer(
  flags: GateFlags,
  { config, root, path }: { readonly config: GateConfig; readonly root: string; readonly path: string },
): Fixer | undefined {
  const choice = choiceOf(flags, config)
  const maxAttempts = flags.fixAttempts ?? (choice === undefined ? 0 : defaultAttempts)
  if (maxAttempts === 0) return undefined
  if (choice === undefined) {
    throw new SetUpError(
      '`--fix-attempts` needs an agent: name one with `--agent`, or as `agent` in the configuration.',
    )
  }
  const resolved = resolveAgent(choice, { path, cwd: root })
  if (!resolved.ok) throw new SetUpError(resolved.error.message)
  const { allow, mayChange, dangerouslyAllowAllActions, allowTestEdits } = flags
  const { hardTimeoutMs, silenceTimeoutMs, maxCostUsd } = flags
  return {
    agent: resolved.agent,
    maxAttempts,
    allow: [...config.allow, ...allow],
    mayChange: [...config.mayChange, ...mayChange],
    mcpServers: config.mcpServers,
    dangerouslyAllowAllActions,
    allowTestEdits,
    hardTimeoutMs,
    silenceTimeoutMs,
    ...(maxCostUsd !== undefined && { maxCostUsd }),
  }
}

function choiceOf({ agent }: GateFlags, config: GateConfig): AgentChoice | undefined {
  switch (agent) {
    case 'none':
      return undefined
    case 'command':
      if (typeof config.agent === 'object') return config.agent
      throw new SetUpError(
        '`--agent command` needs `"agent": { "command": ["program", "{prompt}"] }` in the configuration.',
      )
    case undefined:
      return config.agent
    default:
      return agent
  }
}
