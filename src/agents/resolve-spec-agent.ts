import { MdtestError } from '../system/mdtest-error.ts'
import { agentNames } from './registry.ts'
import { resolveAgent, type AgentChoice, type ResolvedAgent } from './resolve-agent.ts'

interface Where {
  /** The option `agent`, to which the name `command` refers. */
  readonly option: AgentChoice | 'none'
  readonly path: string
  readonly cwd: string
}

/** The agent that a spec names, looked up on PATH. A name that nobody knows is `AGENT_NOT_FOUND`, too. */
export function resolveSpecAgent(name: string, { option, path, cwd }: Where): ResolvedAgent {
  const choice = name === 'command' && typeof option === 'object' ? option : agentNames.find((agent) => agent === name)
  if (choice !== undefined) {
    const resolved = resolveAgent(choice, { path, cwd })
    return resolved.ok ? resolved : { ok: false, error: withOtherWays(resolved.error, name) }
  }
  const error = new MdtestError('AGENT_NOT_FOUND', `There is no agent \`${name}\`.`, {
    hint: `Known are ${agentNames.join(', ')}, none and command (the option \`agent: { command: […] }\`).`,
  })
  return { ok: false, error }
}

/** For a spec there is more to do about it than to install the agent. */
function withOtherWays({ code, message }: MdtestError, name: string): MdtestError {
  return new MdtestError(code, `Prose is carried out by an AI agent. ${message}`, {
    hint: `Or do without: write the step as an \`sh\` block, and \`agent: none\` into the front matter. Or skip the spec where there is no such agent: \`requires: ['agent:${name}']\`.`,
  })
}
