import { readAcpAgentName, type AcpAgent } from '../spec/front-matter/front-matter.ts'
import { findOnPath } from '../system/files/paths.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { ownCommand } from '../system/mdtest-package.ts'
import { createOwnAcpAgent } from './acp/acp-agent.ts'
import type { CliAgent } from './agent.ts'
import { createCommandAgent } from './command/command-agent.ts'
import { agentNames, agents, codingAgents, type AgentName } from './registry.ts'

export type AgentChoice = 'auto' | AgentName | AcpAgent | { readonly command: readonly [string, ...string[]] }

export type ResolvedAgent =
  | { readonly ok: true; readonly agent: CliAgent; readonly file: string }
  | { readonly ok: false; readonly error: MdtestError }

type Where = Parameters<typeof findOnPath>[1]

/** `auto` takes the first agent on PATH that works on code. A named agent is never replaced by another. */
export function resolveAgent(choice: AgentChoice, where: Where): ResolvedAgent {
  const candidates = candidatesFor(choice)
  for (const agent of candidates) {
    const file = findOnPath(agent.bin, where)
    if (file !== undefined) return { ok: true, agent, file }
  }
  const bins = candidates.map(({ bin }) => `\`${bin}\``)
  const message =
    choice === 'auto'
      ? `No agent is on PATH (${bins.join(', ')}).`
      : `${bins.join('')} is not an executable file on PATH.`
  const install = candidates[0]?.install
  const others = candidates.length > 1 ? ` (others: \`${ownCommand} docs agents\`)` : ''
  const hint =
    install === undefined ? 'Install it, or correct the option `agent`.' : `Install it: \`${install}\`${others}.`
  return notFound(message, hint)
}

function candidatesFor(choice: AgentChoice): readonly CliAgent[] {
  if (choice === 'auto') return codingAgents
  if (typeof choice === 'string') return agents.filter(({ name }) => name === choice)
  return ['acp' in choice ? createOwnAcpAgent(choice) : createCommandAgent(choice.command)]
}

/** Finds the agent that a spec names. The name `command` means the program in the option `agent`. */
export function resolveSpecAgent(
  name: string,
  { option, isCodeAlone, ...where }: Where & { readonly option: AgentChoice | 'none'; readonly isCodeAlone: boolean },
): ResolvedAgent {
  const isOfOption = name === 'command' && typeof option === 'object' && 'command' in option
  const choice = isOfOption ? option : (readAcpAgentName(name) ?? agentNames.find((agent) => agent === name))
  const resolved = choice && resolveAgent(choice, where)
  if (resolved?.ok) return resolved
  if (resolved === undefined)
    return notFound(
      `There is no agent \`${name}\`.`,
      `Known are ${agentNames.join(', ')}, none, command (the option \`agent: { command: […] }\`) and \`{ acp: ['program', …] }\`.`,
    )
  const { message, hint = '' } = resolved.error
  const none = isCodeAlone
    ? 'If the code blocks are the whole test, write `agent: none` into the front matter: mdtest runs them itself. '
    : ''
  return notFound(
    message.slice(0, message.length - hint.length).trimEnd(),
    `${none}${hint} \`requires: ['agent:${name}']\` skips the spec where it is missing.`,
  )
}

function notFound(message: string, hint: string): ResolvedAgent {
  return { ok: false, error: new MdtestError('AGENT_NOT_FOUND', message, { hint }) }
}
