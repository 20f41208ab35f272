import type { CliAgent, NamedAgent } from './agent.ts'
import { browserAgent } from './browser/browser-agent.ts'
import { claudeAgent } from './claude/claude-agent.ts'
import { codexAgent } from './codex/codex-agent.ts'
import { copilotAgent, geminiAgent, openCodeAgent, qwenAgent } from './acp/acp-agents.ts'

/** All named agents. `auto` takes the first one in this order that is on PATH and works on code. */
const entries = [claudeAgent, codexAgent, openCodeAgent, geminiAgent, copilotAgent, qwenAgent, browserAgent] as const

type Entry = (typeof entries)[number]

export type AgentName = Entry['name']

export type CodingAgentName = Extract<Entry, { readonly worksOnCode: true }>['name']

export const agents: readonly NamedAgent<AgentName, boolean>[] = entries

export const codingAgents: readonly (CliAgent & { readonly name: CodingAgentName })[] = entries.filter(
  (agent) => agent.worksOnCode,
)

export const codingAgentNames: readonly ('auto' | CodingAgentName)[] = ['auto', ...codingAgents.map(({ name }) => name)]
export const agentNames: readonly ('auto' | AgentName)[] = ['auto', ...agents.map(({ name }) => name)]

export const specAgentNames: readonly string[] = [...agentNames, 'command', 'none']

export function drivesBrowser(name: string | undefined): boolean {
  return agents.some((agent) => agent.name === name && agent.drivesBrowser === true)
}

/** Whether an agent reports its steps while it works. The agent `command` only writes a log at the end. */
export function reportsSteps(name: string): boolean {
  return name !== 'command'
}

export const costTellers: string = agents.flatMap(({ tellsCost, title }) => (tellsCost ? [title] : [])).join(', ')

export const agentFolders: readonly string[] = agents.flatMap(({ ownFolders = [] }) => ownFolders)
