import { z } from 'zod'
import type { Command } from '../../system/process/command.ts'
import { runProgram } from '../../system/process/run-program.ts'
import type { Confined } from '../agent.ts'

/** Settings without which plugins and apps bring servers that no list names. */
export const foreignServers = ['features.plugins=false', 'features.apps=false'] as const // settings, for command lines

const listTimeoutMs = 20_000
const ownServer = 'mdtest'
const asked = '`codex --disable shell_tool mcp list --json`'

/**
 * Switches the MCP servers of the user's and of the project's configuration off: they may run anything. Codex merges
 * tables, so that no setting replaces them all; each has to be named.
 */
export async function confineCodex(command: Command, wrap: (command: Command) => Command): Promise<Confined> {
  const [program, ...args] = command.argv
  const settings = foreignServers.flatMap((setting) => ['-c', setting])
  const question: Command = {
    ...command,
    argv: [program, '--disable', 'shell_tool', ...settings, 'mcp', 'list', '--json'],
  }
  const { argv, cwd, env } = wrap(question)
  const { stdout, stderr, failure } = await runProgram(argv, { cwd, env, timeoutMs: listTimeoutMs })
  if (failure !== undefined) {
    const said = /^error: .*$/im.exec(stderr.toString())?.[0] ?? failure.message
    return { ok: false, why: `${asked} failed: ${said}` }
  }
  const servers = readServers(stdout.toString())
  if (servers === undefined) return { ok: false, why: `${asked} gave no list of servers.` }
  const others = servers.filter(({ name, enabled }) => enabled && name !== ownServer)
  const odd = others.find(({ name }) => !/^[\w-]+$/.test(name))
  if (odd !== undefined)
    return { ok: false, why: `No setting can switch its MCP server \`${odd.name}\` off: rename it.` }
  const off = others.flatMap(({ name }) => ['-c', `mcp_servers.${name}.enabled=false`])
  const end = args.indexOf('--')
  return { ok: true, command: { ...command, argv: [program, ...args.slice(0, end), ...off, ...args.slice(end)] } }
}

const serversSchema = z.array(z.object({ name: z.string(), enabled: z.boolean().catch(true) }))

function readServers(json: string): z.infer<typeof serversSchema> | undefined {
  try {
    return serversSchema.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}
