import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { collectSecrets } from '../system/redaction/secret-forms.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createBirpc } from 'birpc'
import type { StepMeta } from '../plan/step-meta.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { addressVariable, type ServerFunctions, type ServerSettings } from './protocol.ts'
import type { GlobalConfig, ProjectConfig } from './mdtest-project.ts'
import { optionsOf } from './project-options.ts'
import { isCi } from '../system/is-ci.ts'
import { refuseDebugger, flagsWithoutDebugger, ownFile } from '../system/mdtest-package.ts'

/** `globalSetup` and `globalTeardown` run in the same process, but can only share a module variable. */
let running: RunningServer | undefined

/** Jest's `globalSetup`. In watch mode Jest calls it before each run. */
export async function setUpRun(globalConfig: GlobalConfig, projectConfig: ProjectConfig): Promise<void> {
  refuseDebugger()
  await tearDownRun()
  const { env } = process
  const options = optionsOf(projectConfig)
  const { problem } = collectSecrets(env, options.secrets)
  if (problem) throw problem
  const { testNamePattern } = globalConfig
  running = await startServer({
    options,
    guardedFiles: configFilesIn([globalConfig.rootDir, projectConfig.rootDir]),
    ...(testNamePattern && { namePattern: testNamePattern }),
    updateMode: globalConfig.updateSnapshot !== 'all' ? 'off' : isCi(env) ? 'refused' : 'once',
  })
}

/** Jest's `globalTeardown`: ends the server and prints the last lines of the run. */
export async function tearDownRun(): Promise<void> {
  const server = running
  running = undefined
  const lines = (await server?.close()) ?? []
  if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`)
}

export async function settledSteps(file: string): Promise<Readonly<Record<number, StepMeta>>> {
  return (await running?.settled(file)) ?? {}
}

const configFiles = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'].map((extension) => `jest.config.${extension}`)

/** Lists all possible configuration files, because Jest does not report which one it has read. */
function configFilesIn(folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) => configFiles.map((name) => join(folder, name)))
  return [...new Set(files)].filter((file) => existsSync(file))
}

type RunningServer = Pick<ServerFunctions, 'settled' | 'close'>

/** Starts the server. Jest's workers inherit its address as a variable of the main process. */
async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const { env } = process
  delete env[addressVariable]
  const child = fork(ownFile('#jest-server'), [], {
    env: { ...env },
    execArgv: [...flagsWithoutDebugger()],
    // A signal to Jest's process group must not end the server, because the server cleans up after Jest.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const died = once(child, 'exit').then(([exitCode, signal]: unknown[]): never => {
    throw new MdtestError('HOST_ENDED', `The mdtest process beside Jest ended (${String(signal ?? exitCode)}).`)
  })
  died.catch(() => undefined)
  const server = createBirpc<ServerFunctions, object>(
    {},
    { post: (message) => void child.send(message), on: (receive) => void child.on('message', receive), timeout: -1 },
  )
  const address = await Promise.race([server.start(settings), died])
  env[addressVariable] = JSON.stringify(address)
  // The server must not keep Jest's process running.
  child.unref()
  child.channel?.unref()
  return {
    settled: (file) => server.settled(file),
    async close() {
      delete env[addressVariable]
      if (child.exitCode !== null || child.signalCode !== null) return []
      child.ref()
      child.channel?.ref()
      const lines = await Promise.race([server.close(), died])
      child.disconnect()
      await died.catch(() => undefined)
      return lines
    },
  }
}
