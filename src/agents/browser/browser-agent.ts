import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, NamedAgent } from '../agent.ts'
import { withoutTools } from '../attached-servers.ts'
import { withEnvFile } from '../env-file.ts'
import { buildBrowserPrompt } from './browser-prompt.ts'
import type { BrowserTask } from './browser-task.ts'
import { prepareWithModel } from './equip-with-browser.ts'
import { readOwnEvents, type CalledEvent } from '../own-events.ts'
import type { DoneCall } from '../done-call.ts'
import { ownServer } from '../report-access.ts'
import { flagsWithoutDebugger, ownFile } from '../../system/own-package.ts'

/** A model that drives a browser: a program of ours, started and watched like any other agent. */
export const browserAgent: NamedAgent<'browser', false> = {
  name: 'browser',
  title: 'a model with a browser',
  bin: process.execPath,
  reports: 'environment',
  confinement: 'mdtest',
  worksOnCode: false,
  drivesBrowser: true,
  checkSetUp: ({ browser, env, root, browsers }) => browsers.check(browser, withEnvFile(env, root)),
  prepare: prepareWithModel,
  buildPrompt: buildBrowserPrompt,
  buildCommand: buildBrowserCommand,
  readEvents: readOwnEvents,
  readDone: readBrowserDone,
}

function buildBrowserCommand(request: AgentRequest): Command {
  const { prompt, cwd, env, specFile, includedFiles = [], parts, mcpServers = {}, reports, browser } = request
  const argv = [process.execPath, ...flagsWithoutDebugger(), ownFile('#browser-agent')] as const // never empty
  if (browser === undefined || reports === undefined) return { argv, cwd, env }
  const task: BrowserTask = {
    ...browser,
    systemPrompt: prompt,
    specFiles: [specFile, ...includedFiles],
    ...(parts && { parts }),
    cwd,
    mcpServers: Object.fromEntries(Object.entries(mcpServers).map(([name, server]) => [name, withoutTools(server)])),
    reports: { url: reports.url, token: reports.token },
  }
  // Keys and tokens must not stand in a command line.
  return { argv, cwd: browser.launch.home, env, input: `${JSON.stringify(task)}\n` }
}

/** What the browser did, in one line of the output of its agent. Never throws. */
export function readBrowserDone(line: string): readonly DoneCall[] {
  if (!line.startsWith('{"type":"called"')) return []
  const call = parse(line)
  if (call === undefined) return []
  const { type: _type, ...told } = call
  const isReport = call.server === ownServer && call.tool === 'report_step'
  return [isReport ? { kind: 'report', isAccepted: !call.isError } : { kind: 'mcp', ...told }]
}

function parse(line: string): CalledEvent | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // A torn line.
  }
}
