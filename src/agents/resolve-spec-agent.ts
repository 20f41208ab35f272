import { MdtestError } from '../shared/mdtest-error.ts'
import { resolveAgent, type AgentChoice, type ResolvedAgent } from './resolve-agent.ts'

interface Where {
  /** The option `agent`, to which the name `command` refers. */
  readonly option: AgentChoice | 'none'
  readonly path: string
  readonly cwd: string
}

/** The agent that a spec names, looked up on PATH. A name that nobody knows is `AGENT_NOT_FOUND`, too. */
export function resolveSpecAgent(name: string, { option, path, cwd }: Where): ResolvedAgent {
  if (name === 'command' && typeof option === 'object') return resolveAgent(option, { path, cwd })
  const named = agents.find((agent) => agent === name)
  if (named !== undefined) return resolveAgent(named, { path, cwd })
  const error = new MdtestError('AGENT_NOT_FOUND', `There is no agent \`${name}\`.`, {
    hint: 'Known are auto, claude, codex, browser, none and command (the option `agent: { command: […] }`).',
  })
  return { ok: false, error }
}

const agents = ['auto', 'claude', 'codex', 'browser'] as const // names, for `AgentChoice`
