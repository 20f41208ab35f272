import type { CliAgent, Confined } from '../../agents/agent.ts'
import { codingAgents } from '../../agents/registry.ts'
import { readRules } from '../../permissions/allow-rules.ts'
import { findSandbox, sandboxed } from '../../permissions/sandbox/bubblewrap.ts'
import type { UsedExecutor } from '../../records/used-executor.ts'
import type { Command } from '../../system/process/command.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { NotStarted, type AgentTask } from './agent-task.ts'

interface ConfinementOptions {
  /** `auto` uses a sandbox if one is available. Without a sandbox, only an agent that can confine itself starts. */
  readonly sandbox: 'require' | 'auto' | 'off'
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  readonly programs: readonly string[]
}

type ConfinedAgent = Pick<CliAgent, 'name' | 'confinement'>

/** Keeps an agent with the executor `mdtest` from running the product itself. @throws {NotStarted} */
export async function confine(
  agent: ConfinedAgent & Pick<CliAgent, 'confine' | 'ownPaths'>,
  command: Command,
  { sandbox, writable, ...sight }: ConfinementOptions,
): Promise<{ readonly command: Command; readonly usedExecutor: UsedExecutor }> {
  const { program, why } = await chooseSandbox(agent, command.env, { sandbox, wayOut: lastWay })
  const wrap = (inner: Command): Command => {
    if (program === undefined) return inner
    const { cwd, env } = inner
    const own = agent.ownPaths?.(env) ?? []
    return { ...inner, ...sandboxed(inner.argv, { program, cwd, env, ...sight, writable: [...writable, ...own] }) }
  }
  const confined: Confined = (await agent.confine?.(command, wrap)) ?? { ok: true, command }
  if (!confined.ok) throw unconfined(agent, confined.why, `Update it, or ${lastWay}`)
  const usedExecutor: UsedExecutor = program === undefined ? { sandbox: 'none', why } : { sandbox: 'bubblewrap' }
  return { command: wrap(confined.command), usedExecutor }
}

async function chooseSandbox(
  agent: ConfinedAgent,
  env: Command['env'],
  { sandbox, wayOut }: Pick<ConfinementOptions, 'sandbox'> & { readonly wayOut: string },
): Promise<{ readonly program: string; readonly why?: never } | { readonly program?: never; readonly why: string }> {
  const { name, confinement } = agent
  if (confinement === 'mdtest') return { why: `the agent \`${name}\` is a part of mdtest and has no shell` }
  const alone = 'nothing but a sandbox can confine it'
  if (sandbox === 'off') {
    const why = '`sandbox` is `off`'
    if (confinement !== 'sandbox') return { why }
    throw unconfined(agent, `${alone}, and ${why}`, `Set that to \`auto\`, or ${wayOut}`)
  }
  const found = await findSandbox(env)
  if (found.ok) return { program: found.program }
  const { why } = found
  const install = 'Install bubblewrap (package `bubblewrap`) where that is possible'
  if (confinement !== 'own') {
    const trust = confinement === 'trust' ? ', or set `sandbox: off` if you trust it' : ''
    throw unconfined(agent, `${alone}, and ${why}`, `${install}${trust}, or ${wayOut}`)
  }
  if (sandbox === 'auto') return { why }
  throw unconfined(
    agent,
    `\`sandbox\` is \`require\`, and ${why}`,
    `${install}, or set \`sandbox: auto\`, or ${wayOut}`,
  )
}

function unconfined({ name }: ConfinedAgent, why: string, ways: string): NotStarted {
  const message = `The agent \`${name}\` cannot be kept from executing the product itself (\`executor: mdtest\`): ${why}. ${ways}.`
  return new NotStarted(name, { code: 'EXECUTOR_UNAVAILABLE', message })
}

/** Decides whether the agent or mdtest runs commands. @throws {NotStarted} if `executor: mdtest` is not possible */
export async function chooseExecutor(
  agent: ConfinedAgent & Pick<CliAgent, 'ownWords'>,
  { settings, isToBeRecorded = false }: Pick<ScenarioRequest, 'settings' | 'isToBeRecorded'>,
  { env, isInTerminal }: { readonly env: Command['env']; readonly isInTerminal: boolean },
): Promise<{ readonly mode: 'agent' | 'mdtest' } & Pick<AgentTask, 'whyItself' | 'unrecordable'>> {
  const { executor, sandbox } = settings
  if (executor === 'mdtest') {
    assertNamesProduct(agent, settings)
    await chooseSandbox(agent, env, { sandbox, wayOut: lastWay })
    return { mode: 'mdtest' }
  }
  // The agent `browser` has no shell, and mdtest sees all that its browser does. So it needs no executor.
  if (agent.confinement === 'mdtest') return { mode: 'agent' }
  const isAuto = executor === 'auto' && !isInTerminal
  if (!isAuto && !isToBeRecorded) return { mode: 'agent' }
  const why = await whyNot(agent, env, settings)
  if (why !== undefined)
    return { mode: 'agent', ...(isAuto && { whyItself: why }), ...(isToBeRecorded && { unrecordable: why }) }
  assertNamesProduct(agent, settings)
  return { mode: 'mdtest' }
}

async function whyNot(
  agent: ConfinedAgent & Pick<CliAgent, 'ownWords'>,
  env: Command['env'],
  { sandbox, dangerouslyAllowAllActions }: ScenarioRequest['settings'],
): Promise<string | undefined> {
  if (dangerouslyAllowAllActions) return `Every action is allowed, and mdtest executes the product alone. ${nameIt}`
  if (agent.confinement === 'trust' && !agent.ownWords?.some((word) => word.includes('{mcp}')))
    return `The agent \`${agent.name}\` knows nothing of mdtest's tools. Write \`{mcp}\`, the file of its MCP server, into the command line.`
  try {
    await chooseSandbox(agent, env, { sandbox, wayOut: useAnother })
    return undefined
  } catch (error: unknown) {
    if (error instanceof NotStarted) return error.message
    throw error
  }
}

function assertNamesProduct({ name }: ConfinedAgent, settings: ScenarioRequest['settings']): void {
  const rule = readRules(settings.allow).find(({ isForAll }) => isForAll)
  const named = settings.dangerouslyAllowAllActions
    ? '`dangerouslyAllowAllActions`'
    : rule && `The rule \`${rule.source}\``
  if (named === undefined) return
  const message = `${named} names no product, and mdtest executes nothing else (\`executor: mdtest\`). ${nameIt}`
  throw new NotStarted(name, { code: 'EXECUTOR_UNAVAILABLE', message })
}

const nameIt = `Name it, for example \`allow: ['Bash(node notes.mjs *)']\`, or set \`executor: agent\`.`

/** Names of agents that need no sandbox, because flags turn off their shell. */
const confinedNames = codingAgents.flatMap(({ name, confinement }) => (confinement === 'own' ? `\`${name}\`` : []))
const useAnother = `use the agent ${confinedNames.join(' or ')}`

const lastWay = 'set `executor: agent`'
