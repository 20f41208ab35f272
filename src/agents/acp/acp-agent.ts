import { mkdirSync } from 'node:fs'
import { dirname, basename } from 'node:path'
import type { Command } from '../../system/process/command.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { messageOf } from '../../system/error-facts.ts'
import type { AgentRequest, Confined, NamedAgent, CliAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { acpSdk, missingPeer } from '../load-peer.ts'
import { readOwnEvents } from '../own-events.ts'
import type { AgentNeeds, ReadyAgent } from '../preparation.ts'
import type { AcpProgram } from './acp-program.ts'
import type { AcpTask } from './acp-task.ts'
import type { AcpAgent } from '../../spec/front-matter/front-matter.ts'
import { flagsWithoutDebugger, ownFile } from '../../system/own-package.ts'

/** An agent that speaks the Agent Client Protocol: a program of ours leads it, and tells what it does. */
export function createAcpAgent<Name extends string>(program: AcpProgram<Name>): NamedAgent<Name, true> {
  const { name, title, bin, install, ownFolders, ownVariables, tellsCost, hidesOutputs = false, ownPaths } = program
  return {
    ...{ name, title, bin, ownFolders, ownVariables, tellsCost, hidesOutputs, ownPaths },
    ...(install !== undefined && { install }),
    reports: 'environment',
    confinement: 'sandbox',
    worksOnCode: true,
    prepare: (needs) => prepareWithSdk(program, needs),
    confine: (command) => confine(command, ownPaths(command.env)),
    buildCommand: (request) => buildCommand(program, request),
    readEvents: readOwnEvents,
    ...(program.writeSettings && { writeSettings: program.writeSettings }),
  }
}

async function prepareWithSdk<Name extends string>(
  { title, tellsCost, writeSettings }: AcpProgram<Name>,
  needs: AgentNeeds,
): Promise<ReadyAgent> {
  requireSdk()
  if (!tellsCost && needs.costLimitUsd !== undefined) {
    throw new MdtestError('AGENT_BUDGET', `${title} does not tell what it costs, so no limit in US dollars can hold.`, {
      hint: 'Set `maxTokens` or `maxRunTokens` in place of `maxCostUsd` or `maxRunCostUsd`.',
    })
  }
  const ready = await prepareWithServers(needs)
  if (writeSettings === undefined) return ready
  return {
    ...ready,
    equip(place) {
      const settingsHome = place.makeHome()
      writeSettings(settingsHome, needs.env)
      return { ...ready.equip(place), settingsHome }
    },
  }
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

/** Only looks for it: to load it takes a tenth of a second, and it is the other program that needs it. */
function requireSdk(): void {
  try {
    import.meta.resolve(acpSdk)
  } catch (error: unknown) {
    throw missingPeer(acpSdk, error)
  }
}

function buildCommand<Name extends string>(program: AcpProgram<Name>, request: AgentRequest): Command {
  const { prompt, cwd, env, reports, answer, executor, mcpServers = {} } = request
  const { allow, dangerouslyAllowAllActions, logFile, specFile, includedFiles = [], root = cwd } = request
  const logFolder = dirname(logFile)
  const task: AcpTask = {
    prompt,
    cwd,
    title: program.title,
    argv: [program.bin, ...program.args(request)],
    variables: program.variables(request),
    passwords: program.passwords,
    quirks: program.quirks ?? {},
    ...(answer?.sessionId !== undefined && { sessionId: answer.sessionId }),
    mcpServers: executor === undefined ? mcpServers : {},
    ...(reports && { reports: { url: reports.url, token: reports.token } }),
    gate: {
      allow: executor === undefined ? allow : [],
      dangerouslyAllowAllActions: executor === undefined && dangerouslyAllowAllActions,
      roots: [cwd, root, specFile, ...includedFiles, logFolder],
      writable: [cwd, logFolder],
      isLookingOnly: executor !== undefined,
    },
  }
  return {
    argv: [process.execPath, ...flagsWithoutDebugger(), ownFile('#acp-agent')],
    cwd,
    env,
    // Tokens must not stand in a command line.
    input: `${JSON.stringify(task)}\n`,
  }
}

/** Any program that speaks ACP. Nothing is known of it: it has to ask by itself before it acts. */
export function createOwnAcpAgent({ acp: [bin, ...args] }: AcpAgent): CliAgent {
  const agent = createAcpAgent({
    name: 'acp',
    title: basename(bin),
    bin,
    args: () => args,
    ownFolders: [],
    ownVariables: [],
    tellsCost: false,
    variables: () => ({}),
    passwords: [],
    ownPaths: () => [],
  })
  return { ...agent, ownWords: args }
}
