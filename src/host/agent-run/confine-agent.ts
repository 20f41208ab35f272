import type { CliAgent, Confined } from '../../agents/agent.ts'
import { findSandbox, sandboxed } from '../../executor/sandbox/bubblewrap.ts'
import type { Command } from '../../system/process/command.ts'
import { codingAgents } from '../../agents/registry.ts'
import { readRules } from '../../executor/rules.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'

/** How an agent is to be kept from the product, and what it needs all the same. All paths are absolute. */
export interface ConfinementOptions {
  /** `auto`: a sandbox where there is one; an agent that nothing else confines needs it, unless its user trusts it. */
  readonly sandbox: 'require' | 'auto' | 'off'
  /** What to do where nothing else helps, for messages. */
  readonly lastWay: string
  /** Files and folders that it has to see wherever they lie: project, copy, spec, logs, the file of MCP servers. */
  readonly readable: readonly string[]
  /** Files and folders that it has to write, besides its own state. */
  readonly writable: readonly string[]
  /** Words with which it starts other programs, that of the agent among them. */
  readonly programs: readonly string[]
}

/** The command of an agent that is not to execute the product, or why there is none: reason and way out. */
export type Confinement =
  | {
      readonly ok: true
      readonly command: Command
      readonly sandbox: 'bubblewrap' | 'none'
      /** Why there is no sandbox, as the end of a sentence. */
      readonly why?: string
    }
  | { readonly ok: false; readonly message: string }

/** Keeps an agent from executing the product itself, where mdtest alone is to do that. */
export async function confine(
  agent: Pick<CliAgent, 'name' | 'confinement' | 'confine' | 'ownPaths'>,
  command: Command,
  options: ConfinementOptions,
): Promise<Confinement> {
  if (agent.confinement === 'mdtest') {
    return {
      ok: true,
      command,
      sandbox: 'none',
      why: `the agent \`${agent.name}\` is a part of mdtest and has no shell`,
    }
  }
  const found = await chooseSandbox(agent, command, options)
  if ('message' in found) return { ok: false, message: found.message }
  const { program, why } = found
  const wrap = (inner: Command): Command =>
    program === undefined ? inner : inSandbox(inner, { program, agent, ...options })
  const confined: Confined = (await agent.confine?.(command, wrap)) ?? { ok: true, command }
  if (!confined.ok) return refuse(agent, confined.why, `Update it, or ${options.lastWay}`)
  const sandbox = program === undefined ? 'none' : 'bubblewrap'
  return { ok: true, command: wrap(confined.command), sandbox, ...(why !== undefined && { why }) }
}

/** Why an agent cannot be confined, as far as that is known before anything is started for it; `undefined` where it may be. */
async function whyUnconfined(
  agent: Pick<CliAgent, 'name' | 'confinement'>,
  env: Command['env'],
  options: Pick<ConfinementOptions, 'sandbox' | 'lastWay'>,
): Promise<string | undefined> {
  if (agent.confinement === 'mdtest') return undefined
  const found = await chooseSandbox(agent, { env }, options)
  return 'message' in found ? found.message : undefined
}

/** `program`: that of the sandbox; absent where the agent goes without one, and `why`. */
type Choice = { readonly program?: string; readonly why?: string } | { readonly message: string }

async function chooseSandbox(
  agent: Pick<CliAgent, 'name' | 'confinement'>,
  { env }: Pick<Command, 'env'>,
  { sandbox, lastWay }: Pick<ConfinementOptions, 'sandbox' | 'lastWay'>,
): Promise<Choice> {
  const isAlone = agent.confinement !== 'own'
  if (sandbox === 'off') {
    const why = '`sandbox` is `off`'
    return agent.confinement === 'sandbox'
      ? refuse(agent, `nothing but a sandbox can confine it, and ${why}`, `Set that to \`auto\`, or ${lastWay}`)
      : { why }
  }
  const found = await findSandbox(env)
  if (found.ok) return { program: found.program }
  const trust = agent.confinement === 'trust' ? ', or set `sandbox: off` if you trust it' : ''
  if (isAlone)
    return refuse(agent, `nothing but a sandbox can confine it, and ${found.why}`, `${install}${trust}, or ${lastWay}`)
  if (sandbox === 'auto') return { why: found.why }
  return refuse(
    agent,
    `\`sandbox\` is \`require\`, and ${found.why}`,
    `${install}, or set \`sandbox: auto\`, or ${lastWay}`,
  )
}

const install = 'Install bubblewrap (package `bubblewrap`) where that is possible'

function refuse(
  { name }: Pick<CliAgent, 'name'>,
  why: string,
  ways: string,
): { readonly ok: false; readonly message: string } {
  const message = `The agent \`${name}\` cannot be kept from executing the product itself (\`executor: mdtest\`): ${why}. ${ways}.`
  return { ok: false, message }
}

interface Wrapping extends Pick<ConfinementOptions, 'readable' | 'writable' | 'programs'> {
  readonly program: string
  readonly agent: Pick<CliAgent, 'ownPaths'>
}

function inSandbox(command: Command, { program, agent, writable, ...sight }: Wrapping): Command {
  const { cwd, env } = command
  const own = agent.ownPaths?.(env) ?? []
  return { ...command, ...sandboxed(command.argv, { program, cwd, env, ...sight, writable: [...writable, ...own] }) }
}

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
