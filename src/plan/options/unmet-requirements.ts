import { playwrightProgram } from '../../agents/browser/playwright-server.ts'
import { agents, codingAgents } from '../../agents/registry.ts'
import { findOnPath } from '../../system/files/find-on-path.ts'

/** Where a spec would be run. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  /** Absolute path of the suite root. */
  readonly root: string
}

interface Configured extends Surroundings {
  /** Program of the option `agent`, where that is a command. */
  readonly agentProgram: string | undefined
  /** MCP servers by name. */
  readonly mcpServers: Readonly<Record<string, unknown>>
}

/** Each entry of `requires` that is not met, with why. */
export function describeUnmet(requires: readonly string[], configured: Configured): readonly string[] {
  return [...new Set(requires)].flatMap((entry) => {
    const why = whyUnmet(entry, configured)
    return why === undefined ? [] : [`\`${entry}\` (${why})`]
  })
}

function whyUnmet(entry: string, configured: Configured): string | undefined {
  const [kind, name = ''] = split(entry)
  if (kind === 'bin') return isProgram(name, configured) ? undefined : notOnPath
  if (kind === 'env') return configured.env[name] ? undefined : 'not set, or empty'
  if (kind === 'agent') return whyNoAgent(name, configured)
  if (kind === 'browser') return whyNoBrowser()
  return Object.hasOwn(configured.mcpServers, name) ? undefined : notConfigured
}

/** Chrome is looked for, and installed if need be, when it is needed. */
function whyNoBrowser(): string | undefined {
  try {
    playwrightProgram()
    return undefined
  } catch {
    return 'the package `@playwright/mcp` is not installed'
  }
}

/** Programs by the names of agents that are found on PATH. */
const programs: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['auto', codingAgents.map(({ bin }) => bin)],
  ...agents.map(({ name, bin }) => [name, [bin]] as const), // pairs, not lists
])

function whyNoAgent(name: string, configured: Configured): string | undefined {
  const { agentProgram } = configured
  const command = agentProgram === undefined ? [] : [agentProgram]
  const candidates = name === 'command' ? command : (programs.get(name) ?? [])
  if (candidates.length === 0) return notConfigured
  return candidates.some((program) => isProgram(program, configured)) ? undefined : notOnPath
}

function isProgram(name: string, { env, root }: Surroundings): boolean {
  return findOnPath(name, { path: env.PATH ?? '', cwd: root }) !== undefined
}

/** `bin:a:b` is the program `a:b`. */
function split(entry: string): readonly [string, string?] {
  const at = entry.indexOf(':')
  return at === -1 ? [entry] : [entry.slice(0, at), entry.slice(at + 1)]
}

const notConfigured = 'not configured'
const notOnPath = 'not an executable file on PATH'
