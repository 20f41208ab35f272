import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { AcpAgent } from '../../spec/front-matter/front-matter.ts'
import { messageOf } from '../../system/error-facts.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, CliAgent, Confined, NamedAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { acpSdk, missingPeer } from '../load-peer.ts'
import { ownProgram, readOwnEvents } from '../agent-program-protocol.ts'
import type { AgentNeeds, ReadyAgent } from '../preparation.ts'

export interface AcpQuirks {
  /** Whether token counts in the agent's answers are totals of the session, not of one prompt. */
  readonly tellsTokensOfSession?: boolean
  /** Whether the agent guesses a call's `kind`. An MCP call can then look like a shell command. */
  readonly guessesKinds?: boolean
  /** Whether the agent gives a tool's name only inside the call's id. */
  readonly namesToolsInIds?: boolean
  /** How the agent's last text begins if it reports a model error in a turn that ends normally. */
  readonly errorStart?: string
  /** Whether the agent takes MCP servers by URL only, and silently ignores servers that are programs. */
  readonly dropsPrograms?: boolean
}

export interface AcpTask {
  readonly request: Omit<AgentRequest, 'env'>
  readonly title: string
  readonly argv: readonly [string, ...string[]]
  readonly variables: Readonly<Record<string, string>>
  /** Names of environment variables that get a random password. */
  readonly passwords: readonly string[]
  readonly quirks: AcpQuirks
}

type Shared = 'name' | 'title' | 'bin' | 'install' | 'ownFolders' | 'ownVariables' | 'tellsCost' | 'hidesOutputs'

export interface AcpProgram<Name extends string>
  extends Pick<NamedAgent<Name, true>, Shared | 'writeSettings'>, Partial<Pick<AcpTask, 'passwords' | 'quirks'>> {
  args(request: AgentRequest): readonly string[]
  variables?(request: AgentRequest): Readonly<Record<string, string>>
  ownPaths(env: Readonly<Record<string, string>>): readonly string[]
}

/** An agent that speaks the Agent Client Protocol. A separate program, `#acp-agent`, talks to the agent. */
export function createAcpAgent<Name extends string>(program: AcpProgram<Name>): NamedAgent<Name, true> {
  return {
    ...program,
    reports: 'environment',
    confinement: 'sandbox',
    worksOnCode: true,
    prepare: (needs) => prepareWithSdk(program, needs),
    confine: (command) => confine(command, program.ownPaths(command.env)),
    buildCommand: (request) => buildCommand(program, request),
    readEvents: readOwnEvents,
  }
}

/** Any program that speaks ACP. mdtest cannot configure it, so the program must ask for permission by default. */
export function createOwnAcpAgent({ acp: [bin, ...args] }: AcpAgent): CliAgent {
  const agent = createAcpAgent({ name: 'acp', title: basename(bin), bin, args: () => args, ownPaths: () => [] })
  return { ...agent, ownWords: args }
}

async function prepareWithSdk(
  { title, tellsCost, writeSettings }: Pick<NamedAgent<string, true>, 'title' | 'tellsCost' | 'writeSettings'>,
  needs: AgentNeeds,
): Promise<ReadyAgent> {
  // Do not load the package here: loading takes 0.1 s, and only the program `#acp-agent` needs it.
  try {
    import.meta.resolve(acpSdk)
  } catch (error: unknown) {
    throw missingPeer(acpSdk, error)
  }
  if (tellsCost !== true && needs.costLimitUsd !== undefined) {
    throw new MdtestError(
      'AGENT_BUDGET',
      `${title} does not report its cost, so a limit in US dollars has no effect.`,
      { hint: 'Set `maxTokens` or `maxRunTokens` in place of `maxCostUsd` or `maxRunCostUsd`.' },
    )
  }
  const ready = await prepareWithServers(needs)
  if (writeSettings === undefined) return ready
  const equip: ReadyAgent['equip'] = (place) => {
    const settingsHome = place.makeHome()
    writeSettings(settingsHome, needs.env)
    return { ...ready.equip(place), settingsHome }
  }
  return { ...ready, equip }
}

/** Creates the folders of the agent's state. The sandbox can show only folders that exist. */
async function confine(command: Command, folders: readonly string[]): Promise<Confined> {
  try {
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    return { ok: true, command }
  } catch (error: unknown) {
    return { ok: false, why: `a folder of its state cannot be made (${messageOf(error)})` }
  }
}

function buildCommand<Name extends string>(program: AcpProgram<Name>, request: AgentRequest): Command {
  const { env, ...rest } = request
  // With an executor, mdtest runs the tools. The agent itself gets no MCP servers and no permissions.
  const nothingElse = { mcpServers: {}, allow: [], dangerouslyAllowAllActions: false }
  const { title, bin, args, variables, passwords = [], quirks = {} } = program
  const asked = { ...rest, ...(request.executor && nothingElse) }
  const start = { argv: [bin, ...args(request)] as const, variables: variables?.(request) ?? {} }
  const task: AcpTask = { title, passwords, quirks, request: asked, ...start }
  return { ...ownProgram('#acp-agent', task), cwd: request.cwd, env }
}
