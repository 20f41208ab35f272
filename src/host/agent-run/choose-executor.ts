import type { CliAgent } from '../../agents/agent.ts'
import { codingAgents } from '../../agents/registry.ts'
import { readRules } from '../../executor/rules.ts'
import type { Command } from '../../system/process/command.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { whyUnconfined } from './confine-agent.ts'

/** Who executes the product for an agent, or why mdtest has to and cannot: reason and way out. */
export type ChosenExecutor =
  | {
      readonly ok: true
      readonly mode: 'agent' | 'mdtest'
      /** Why the agent executes itself although mdtest was to, if it could; the way out. */
      readonly whyItself?: string
      /** Why nothing that the agent does can be recorded, although that was asked for: reason and way out. */
      readonly unrecordable?: string
    }
  | { readonly ok: false; readonly message: string }

interface Surroundings {
  /** Of commands. */
  readonly env: Command['env']
  /** Whether the agent works in its own interface in a terminal: there its log decides. */
  readonly isInTerminal: boolean
}

type Chosen = Pick<CliAgent, 'name' | 'confinement' | 'ownWords'>

/**
 * The one place where `executor: auto` becomes somebody. Only what mdtest executes is recorded or repeated: there mdtest
 * executes wherever it can, whatever is set.
 */
export async function chooseExecutor(
  agent: Chosen,
  { settings, isToBeRecorded = false }: Pick<ScenarioRequest, 'settings' | 'isToBeRecorded'>,
  { env, isInTerminal }: Surroundings,
): Promise<ChosenExecutor> {
  const { executor, sandbox, allow, dangerouslyAllowAllActions } = settings
  if (executor === 'mdtest') {
    const message =
      tooBroad(allow, dangerouslyAllowAllActions) ?? (await whyUnconfined(agent, env, { sandbox, lastWay }))
    return message === undefined ? { ok: true, mode: 'mdtest' } : { ok: false, message }
  }
  // A part of mdtest has no shell, and what its browser does is told.
  if (agent.confinement === 'mdtest') return { ok: true, mode: 'agent' }
  const isAuto = executor === 'auto' && !isInTerminal
  if (!isAuto && !isToBeRecorded) return { ok: true, mode: 'agent' }
  const why = await whyNot(agent, { env, sandbox, isEverythingAllowed: dangerouslyAllowAllActions })
  if (why !== undefined) {
    return { ok: true, mode: 'agent', ...(isAuto && { whyItself: why }), ...(isToBeRecorded && { unrecordable: why }) }
  }
  const message = tooBroad(allow, false)
  return message === undefined ? { ok: true, mode: 'mdtest' } : { ok: false, message }
}

interface Obstacles extends Pick<Surroundings, 'env'> {
  readonly sandbox: 'require' | 'auto' | 'off'
  readonly isEverythingAllowed: boolean
}

async function whyNot(agent: Chosen, { env, sandbox, isEverythingAllowed }: Obstacles): Promise<string | undefined> {
  if (isEverythingAllowed) return `Every action is allowed, and mdtest executes the product alone. ${nameIt}`
  if (agent.confinement === 'trust' && !agent.ownWords?.some((word) => word.includes('{mcp}'))) {
    return `The agent \`${agent.name}\` knows nothing of mdtest's tools. Write \`{mcp}\`, the file of its MCP server, into the command line.`
  }
  return whyUnconfined(agent, env, { sandbox, lastWay: useAnother })
}

/** A rule for everything names no product. */
function tooBroad(allow: readonly string[], isEverythingAllowed: boolean): string | undefined {
  const [rule] = readRules(allow).filter(({ isForAll }) => isForAll)
  const named = isEverythingAllowed ? '`dangerouslyAllowAllActions`' : rule && `The rule \`${rule.source}\``
  return named && `${named} names no product, and mdtest executes nothing else (\`executor: mdtest\`). ${nameIt}`
}

const nameIt = `Name it, for example \`allow: ['Bash(node notes.mjs *)']\`, or set \`executor: agent\`.`

/** Agents whose own command line takes their shell away: they need nothing else. */
const confinedNames = codingAgents.flatMap(({ name, confinement }) => (confinement === 'own' ? `\`${name}\`` : []))
const useAnother = `use the agent ${confinedNames.join(' or ')}`

/** The last way out for an agent that cannot be confined. */
export const lastWay = 'set `executor: agent`'
