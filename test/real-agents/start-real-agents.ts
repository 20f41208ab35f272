import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createIsolatedHome } from '../support/isolated-home.ts'
import { startModelServer, type ModelScript, type ModelServer } from '../support/model-server.ts'
import { programsFolder } from '../support/programs-folder.ts'
import { processesOfHome } from '../support/processes.ts'
import { findRealClis, type CliName } from './find-real-clis.ts'

/** Why these real agent CLIs cannot be used, for the end of a title; empty where they can. */
export function skipReasonOf(...names: readonly CliName[]): string {
  const clis = findRealClis(names)
  return clis.ok ? '' : ` (skipped: ${clis.reason})`
}

/** Why not all of them can be used. */
export const skipReason = skipReasonOf('claude', 'codex', 'copilot', 'gemini', 'opencode', 'qwen')

export interface RealAgentsSetup {
  readonly script: ModelScript
  readonly codexModel?: string | undefined
  /** Which CLIs are on PATH; Claude Code and Codex by default. */
  readonly clis?: readonly CliName[] | undefined
}

/** The real agent CLIs in a home of their own, and the only model that they can talk to. */
export interface RealAgents extends AsyncDisposable {
  /** Real path of the folder that holds home, folder for temporary files and `work`. */
  readonly root: string
  /** An empty directory for a project. */
  readonly work: string
  /** What a program that starts the CLIs has to be started with. */
  readonly env: Readonly<Record<string, string>>
  readonly model: ModelServer
  /** Command lines of processes that were left behind, and what is left in the folder for temporary files. */
  leftovers(): Promise<readonly string[]>
}

/** Makes a home for the CLIs and starts the model; `await using` removes and ends both. */
export async function startRealAgents(setup: RealAgentsSetup): Promise<RealAgents> {
  const { script, codexModel } = setup
  const model = await startModelServer(script)
  const home = createIsolatedHome({
    modelUrl: model.url,
    path: '',
    acpClis: (setup.clis ?? []).filter((cli) => cli !== 'claude' && cli !== 'codex'),
    ...(codexModel !== undefined && { codexModel }),
  })
  return {
    root: home.root,
    work: home.work,
    env: {
      ...home.env,
      PATH: [linkClis(home.root, setup.clis), programsFolder, '/usr/bin', '/bin'].join(':'),
      // The pytest of a version manager brings plugins of its user's, which write into the project.
      PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
      // Who wants to leave the machine is noted as a stray request.
      HTTPS_PROXY: model.url,
      https_proxy: model.url,
    },
    model,
    leftovers: async () => [
      ...(await lastingProcesses(home.root)),
      ...readdirSync(join(home.root, 't')).filter((name) => name.startsWith('mdtest')),
    ],
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

/** The launcher may outlive its main process for a moment, and what waits for a crash of Chromium its browser. */
async function lastingProcesses(root: string): Promise<readonly string[]> {
  for (let round = 0; round < 30; round += 1) {
    const lines = processesOfHome(root)
    if (lines.length === 0 || !lines.every((line) => /launcher-main|crashpad_handler/.test(line))) return lines
    await sleep(100)
  }
  return processesOfHome(root)
}

/** A folder for PATH with these CLIs and Node alone: this machine may have a `claude` of its own. */
function linkClis(root: string, names: readonly CliName[] = ['claude', 'codex']): string {
  const folder = join(root, 'bin')
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  for (const name of names) {
    const cli = findRealClis([name])
    if (cli.ok) symlinkSync(join(cli.folder, name), join(folder, name))
  }
  return folder
}
