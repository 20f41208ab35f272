import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { AcpAgent } from '../../spec/front-matter/front-matter.ts'
import { messageOf } from '../../system/error-facts.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { flagsWithoutDebugger, ownFile } from '../../system/own-package.ts'
import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, CliAgent, Confined, NamedAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { acpSdk, missingPeer } from '../load-peer.ts'
import { readOwnEvents } from '../own-events.ts'
import type { AgentNeeds, ReadyAgent } from '../preparation.ts'

export interface AcpQuirks {
  /** Whether the tokens that it tells with an answer are those of the whole session, and not of one prompt. */
  readonly tellsTokensOfSession?: boolean
  /** Whether it guesses the kind of a call from its input: a tool of an MCP server with a `command` is no command. */
  readonly guessesKinds?: boolean
  /** Whether the ids of its calls are made of the names of tools, which it tells nowhere else. */
  readonly namesToolsInIds?: boolean
  /** How its last words begin where they tell an error of its model, in a turn that ends like any other. */
  readonly errorStart?: string
  /** Whether it takes MCP servers by their address alone: what is a program it drops without a word. */
  readonly dropsPrograms?: boolean
}

export interface AcpTask {
  readonly request: Omit<AgentRequest, 'env'>
  readonly title: string
  readonly argv: readonly [string, ...string[]]
  readonly variables: Readonly<Record<string, string>>
  /** Names of variables that get a password which nobody else knows. */
  readonly passwords: readonly string[]
  readonly quirks: AcpQuirks
}

type Shared = 'name' | 'title' | 'bin' | 'install' | 'ownFolders' | 'ownVariables' | 'tellsCost' | 'hidesOutputs'

export interface AcpProgram<Name extends string>
  extends Pick<NamedAgent<Name, true>, Shared | 'writeSettings'>, Partial<Pick<AcpTask, 'passwords' | 'quirks'>> {
  args(request: AgentRequest): readonly string[]
  /** Variables that make it ask before it acts. Default: none. */
  variables?(request: AgentRequest): Readonly<Record<string, string>>
  ownPaths(env: Readonly<Record<string, string>>): readonly string[]
}

/** An agent that speaks the Agent Client Protocol: a program of ours leads it, and tells what it does. */
export function createAcpAgent<Name extends string>(program: AcpProgram<Name>): NamedAgent<Name, true> {
  const { args: _args, variables: _variables, passwords: _passwords, quirks: _quirks, ...agent } = program
  return {
    ...agent,
    reports: 'environment',
    confinement: 'sandbox',
    worksOnCode: true,
    prepare: (needs) => prepareWithSdk(agent, needs),
    confine: (command) => confine(command, agent.ownPaths(command.env)),
    buildCommand: (request) => buildCommand(program, request),
    readEvents: readOwnEvents,
  }
}

/** Any program that speaks ACP. Nothing is known of it: it has to ask by itself before it acts. */
export function createOwnAcpAgent({ acp: [bin, ...args] }: AcpAgent): CliAgent {
  const agent = createAcpAgent({ name: 'acp', title: basename(bin), bin, args: () => args, ownPaths: () => [] })
  return { ...agent, ownWords: args }
}

async function prepareWithSdk(
  { title, tellsCost, writeSettings }: Pick<NamedAgent<string, true>, 'title' | 'tellsCost' | 'writeSettings'>,
  needs: AgentNeeds,
): Promise<ReadyAgent> {
  // Only looks for it: to load it takes a tenth of a second, and it is the other program that needs it.
  try {
    import.meta.resolve(acpSdk)
  } catch (error: unknown) {
    throw missingPeer(acpSdk, error)
  }
  if (tellsCost !== true && needs.costLimitUsd !== undefined) {
    throw new MdtestError('AGENT_BUDGET', `${title} does not tell what it costs, so no limit in US dollars can hold.`, {
      hint: 'Set `maxTokens` or `maxRunTokens` in place of `maxCostUsd` or `maxRunCostUsd`.',
    })
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

/** Its sandbox shows the folders of its state only where they are there; it would make them itself. */
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
  // Where mdtest executes, rules and servers of the user's are for its own tools.
  const nothingElse = { mcpServers: {}, allow: [], dangerouslyAllowAllActions: false }
  const { title, bin, args, variables, passwords = [], quirks = {} } = program
  const asked = { ...rest, ...(request.executor && nothingElse) }
  const start = { argv: [bin, ...args(request)] as const, variables: variables?.(request) ?? {} } // not empty
  const task: AcpTask = { title, passwords, quirks, request: asked, ...start }
  const argv = [process.execPath, ...flagsWithoutDebugger(), ownFile('#acp-agent')] as const // not empty
  // Tokens must not stand in a command line.
  return { argv, cwd: request.cwd, env, input: `${JSON.stringify(task)}\n` }
}
