import type { CliAgent } from '../../agents/agent.ts'
import { codingAgents } from '../../agents/registry.ts'
import type { Command } from '../../system/process/command.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { whyUnconfined } from './confine-agent.ts'

/** Who executes the product for an agent, or why mdtest has to and cannot: reason and way out. */
export type ExecutorChoice =
  | {
      readonly ok: true
      readonly mode: 'agent' | 'mdtest'
      /** Why nothing that the agent does can be recorded, although that was asked for: reason and way out. */
      readonly unrecordable?: string
    }
  | { readonly ok: false; readonly message: string }

/** Only what mdtest executes is recorded or repeated: there mdtest executes wherever it can, whatever is set. */
export async function chooseExecutor(
  agent: Pick<CliAgent, 'name' | 'confinement' | 'ownWords'>,
  { settings, isToBeRecorded = false }: Pick<ScenarioRequest, 'settings' | 'isToBeRecorded'>,
  env: Command['env'],
): Promise<ExecutorChoice> {
  const { mode, sandbox } = settings.executor
  // What its browser does is told.
  if (mode === 'agent' && (!isToBeRecorded || agent.confinement === 'mdtest')) return { ok: true, mode }
  const isImplied = mode === 'agent'
  if (isImplied && agent.confinement === 'trust' && !agent.ownWords?.some((word) => word.includes('{mcp}'))) {
    const unrecordable = `The agent \`${agent.name}\` knows nothing of mdtest's tools. Write \`{mcp}\`, the file of its MCP server, into the command line.`
    return { ok: true, mode, unrecordable }
  }
  const why = await whyUnconfined(agent, env, { sandbox, lastWay: isImplied ? useAnother : ownExecutor })
  if (why === undefined) return { ok: true, mode: 'mdtest' }
  return isImplied ? { ok: true, mode, unrecordable: why } : { ok: false, message: why }
}

/** Agents whose own command line takes their shell away: they need nothing else. */
const confinedNames = codingAgents.flatMap(({ name, confinement }) => (confinement === 'own' ? `\`${name}\`` : []))
const useAnother = `use the agent ${confinedNames.join(' or ')}`

/** The last way out for an agent that cannot be confined. */
export const ownExecutor = 'set `executor: agent`'
