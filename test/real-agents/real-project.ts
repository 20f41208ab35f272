import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Options } from '../../src/options/options.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { createIsolatedHome } from '../support/isolated-home.ts'
import { startModelServer, type ModelScript, type ModelServer } from '../support/model-server.ts'
import { processesOfHome } from '../support/processes.ts'
import { findRealClis } from './find-real-clis.ts'

const clis = findRealClis()

/** Why the real agent CLIs cannot be used, for the end of a title; empty where they can. */
export const skipReason = clis.ok ? '' : ` (skipped: ${clis.reason})`

/** The agents, and for codex the tools that its model decides. */
export const claude = { title: 'claude', agent: 'claude' } as const // `agent` is one of the option's values
export const codex = { title: 'codex', agent: 'codex', codexModel: 'gpt-5.5' } as const // see the line before
export const codexCodeMode = { title: 'codex in code mode', agent: 'codex', codexModel: 'gpt-6.1-sol' } as const // see above

export interface RealProjectSetup {
  readonly files: Readonly<Record<string, string>>
  readonly script: ModelScript
  /** Options of `mdtest()`. */
  readonly options?: Options
  readonly codexModel?: string
  /** Which CLIs are on PATH; both by default. */
  readonly clis?: readonly ('claude' | 'codex')[]
}

/** A project in which real Vitest runs real agent CLIs, whose only model is a scripted one. */
export interface RealProject extends AsyncDisposable {
  readonly project: Project
  /** What Vitest and `mdtest` have to be started with. */
  readonly env: Readonly<Record<string, string>>
  readonly model: ModelServer
  /** Command lines of processes that the run left behind, and what it left in the folder for temporary files. */
  leftovers(): Promise<readonly string[]>
}

/** Makes the project, a home for the CLIs and a model; `await using` removes and ends all of it. */
export async function createRealProject(setup: RealProjectSetup): Promise<RealProject> {
  const { files, script, options = {}, codexModel } = setup
  const model = await startModelServer(script)
  const home = createIsolatedHome({ modelUrl: model.url, path: '', ...(codexModel !== undefined && { codexModel }) })
  const project = await createProject({ 'vitest.config.js': configWith(options), ...files })
  return {
    project,
    env: {
      ...home.env,
      PATH: [linkClis(home.root, setup.clis), '/usr/bin', '/bin'].join(':'),
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
      await project[Symbol.asyncDispose]()
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

function configWith(options: Options): string {
  return `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`
}

/** A folder for PATH with these CLIs and Node alone: this machine may have a `claude` of its own. */
function linkClis(root: string, names: readonly string[] = ['claude', 'codex']): string {
  const folder = join(root, 'bin')
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  for (const name of clis.ok ? names : []) symlinkSync(join(clis.ok ? clis.folder : '', name), join(folder, name))
  return folder
}
