import { MdtestError } from '../system/mdtest-error.ts'
import { readAcpAgentName, type AcpAgent } from '../spec/front-matter/front-matter.ts'
import { createOwnAcpAgent } from './acp/acp-agent.ts'
import type { CliAgent } from './agent.ts'
import { createCommandAgent } from './command/command-agent.ts'
import { agents, codingAgents, type AgentName, agentNames } from './registry.ts'
import { findOnPath } from '../system/files/paths.ts'

/** An agent that was asked for; the option `agent` without `none`. */
export type AgentChoice = 'auto' | AgentName | AcpAgent | { readonly command: readonly [string, ...string[]] }

export type ResolvedAgent =
  | {
      readonly ok: true
      readonly agent: CliAgent
      /** Absolute path of the program that was found. */
      readonly file: string
    }
  /** Its code is `AGENT_NOT_FOUND`. */
  | { readonly ok: false; readonly error: MdtestError }

/**
 * The agent that carries out the prose. `auto` takes the first one that works on code and is on PATH; an agent that was
 * named is never replaced by another.
 *
 * @param where.path value of PATH the agent is started with
 * @param where.cwd absolute path of the directory the agent is started in
 */
export function resolveAgent(
  choice: AgentChoice,
  where: { readonly path: string; readonly cwd: string },
): ResolvedAgent {
  const candidates = candidatesFor(choice)
  for (const agent of candidates) {
    const file = findOnPath(agent.bin, where)
    if (file !== undefined) return { ok: true, agent, file }
  }
  return { ok: false, error: notFound(choice, candidates) }
}

function candidatesFor(choice: AgentChoice): readonly CliAgent[] {
  if (choice === 'auto') return codingAgents
  if (typeof choice === 'string') return agents.filter(({ name }) => name === choice)
  return ['acp' in choice ? createOwnAcpAgent(choice) : createCommandAgent(choice.command)]
}

function notFound(choice: AgentChoice, candidates: readonly CliAgent[]): MdtestError {
  const bins = candidates.map(({ bin }) => `\`${bin}\``).join(' nor ')
  const installs = candidates.flatMap(({ install }) => (install === undefined ? [] : `\`${install}\``))
  const wayOut =
    installs.length > 0 ? `Install it: ${installs.join(' or ')}` : 'Install it or correct the option `agent`'
  return new MdtestError(
    'AGENT_NOT_FOUND',
    choice === 'auto' ? `Neither ${bins} is an executable file on PATH.` : `${bins} is not an executable file on PATH.`,
    { hint: `${wayOut}.` },
  )
}

interface Where {
  /** The option `agent`, to which the name `command` refers. */
  readonly option: AgentChoice | 'none'
  readonly path: string
  readonly cwd: string
}

/** The agent that a spec names, looked up on PATH. A name that nobody knows is `AGENT_NOT_FOUND`, too. */
export function resolveSpecAgent(name: string, { option, path, cwd }: Where): ResolvedAgent {
  const choice =
    name === 'command' && typeof option === 'object' && 'command' in option
      ? option
      : (readAcpAgentName(name) ?? agentNames.find((agent) => agent === name))
  if (choice !== undefined) {
    const resolved = resolveAgent(choice, { path, cwd })
    return resolved.ok ? resolved : { ok: false, error: withOtherWays(resolved.error, name) }
  }
  const error = new MdtestError('AGENT_NOT_FOUND', `There is no agent \`${name}\`.`, {
    hint: `Known are ${agentNames.join(', ')}, none, command (the option \`agent: { command: […] }\`) and \`{ acp: ['program', …] }\`.`,
  })
  return { ok: false, error }
}

/** For a spec there is more to do about it than to install the agent. */
function withOtherWays({ code, message }: MdtestError, name: string): MdtestError {
  return new MdtestError(code, `Prose is carried out by an AI agent. ${message}`, {
    hint: `Or do without: write the step as an \`sh\` block, and \`agent: none\` into the front matter. Or skip the spec where there is no such agent: \`requires: ['agent:${name}']\`.`,
  })
}
