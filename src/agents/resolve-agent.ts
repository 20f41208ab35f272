import { readAcpAgentName, type AcpAgent } from '../spec/front-matter/front-matter.ts'
import { findOnPath } from '../system/files/paths.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { createOwnAcpAgent } from './acp/acp-agent.ts'
import type { CliAgent } from './agent.ts'
import { createCommandAgent } from './command/command-agent.ts'
import { agentNames, agents, codingAgents, type AgentName } from './registry.ts'

export type AgentChoice = 'auto' | AgentName | AcpAgent | { readonly command: readonly [string, ...string[]] }

/** `file`: absolute path of the program that was found. The code of `error` is `AGENT_NOT_FOUND`. */
export type ResolvedAgent =
  | { readonly ok: true; readonly agent: CliAgent; readonly file: string }
  | { readonly ok: false; readonly error: MdtestError }

interface Where {
  readonly path: string
  readonly cwd: string
}

/**
 * The agent that carries out the prose. `auto` takes the first one that works on code and is on PATH; an agent that was
 * named is never replaced by another.
 */
export function resolveAgent(choice: AgentChoice, where: Where): ResolvedAgent {
  const candidates = candidatesFor(choice)
  for (const agent of candidates) {
    const file = findOnPath(agent.bin, where)
    if (file !== undefined) return { ok: true, agent, file }
  }
  const bins = candidates.map(({ bin }) => `\`${bin}\``).join(' nor ')
  const installs = candidates.flatMap(({ install }) => (install === undefined ? [] : `\`${install}\``))
  const hint = `Install it${installs.length > 0 ? `: ${installs.join(' or ')}` : ' or correct the option `agent`'}.`
  const message =
    choice === 'auto' ? `Neither ${bins} is an executable file on PATH.` : `${bins} is not an executable file on PATH.`
  return { ok: false, error: new MdtestError('AGENT_NOT_FOUND', message, { hint }) }
}

function candidatesFor(choice: AgentChoice): readonly CliAgent[] {
  if (choice === 'auto') return codingAgents
  if (typeof choice === 'string') return agents.filter(({ name }) => name === choice)
  return ['acp' in choice ? createOwnAcpAgent(choice) : createCommandAgent(choice.command)]
}

/**
 * The agent that a spec names, looked up on PATH. A name that nobody knows is `AGENT_NOT_FOUND`, too.
 * @param where.option the option `agent`, to which the name `command` refers
 */
export function resolveSpecAgent(
  name: string,
  { option, ...where }: Where & { readonly option: AgentChoice | 'none' },
): ResolvedAgent {
  const isOfOption = name === 'command' && typeof option === 'object' && 'command' in option
  const choice = isOfOption ? option : (readAcpAgentName(name) ?? agentNames.find((agent) => agent === name))
  const resolved = choice && resolveAgent(choice, where)
  if (resolved?.ok) return resolved
  if (resolved === undefined) {
    const error = new MdtestError('AGENT_NOT_FOUND', `There is no agent \`${name}\`.`, {
      hint: `Known are ${agentNames.join(', ')}, none, command (the option \`agent: { command: […] }\`) and \`{ acp: ['program', …] }\`.`,
    })
    return { ok: false, error }
  }
  // For a spec there is more to do about it than to install the agent.
  const { code, message } = resolved.error
  const error = new MdtestError(code, `Prose is carried out by an AI agent. ${message}`, {
    hint: `Or do without: write the step as an \`sh\` block, and \`agent: none\` into the front matter. Or skip the spec where there is no such agent: \`requires: ['agent:${name}']\`.`,
  })
  return { ok: false, error }
}
