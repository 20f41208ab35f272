import type { CliAgent, Confined } from '../../agents/agent.ts'
import { findSandbox, sandboxed } from '../../executor/sandbox/bubblewrap.ts'
import type { Command } from '../../system/process/command.ts'

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
export async function whyUnconfined(
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
