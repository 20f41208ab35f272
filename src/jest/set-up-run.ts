import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { UpdateMode } from '../host/protocol/protocol.ts'
import { resolveOptions, type ResolvedOptions } from '../plan/options/resolve-options.ts'
import { isCi } from '../plan/options/left-out.ts'
import { refuseDebugger } from '../system/refuse-debugger.ts'
import { collectSecrets } from '../system/redaction/redact-secrets.ts'
import { startServer, type RunningServer } from './running-server.ts'

/** What is used of Jest's configuration of a run. */
export interface GlobalConfig {
  readonly rootDir: string
  readonly testNamePattern?: string
  readonly updateSnapshot: 'all' | 'new' | 'none'
}

/** What is used of its configuration of a project. */
export interface ProjectConfig {
  readonly rootDir: string
  readonly transform: readonly (readonly [pattern: string, file: string, options: unknown])[]
}

/** `globalSetup` and `globalTeardown` share nothing but the process. */
let running: RunningServer | undefined

/** Before the tests of a run: in watch mode, of each. */
export async function setUpRun(globalConfig: GlobalConfig, projectConfig: ProjectConfig): Promise<void> {
  refuseDebugger()
  await tearDownRun()
  const { env } = process
  const options = optionsIn(projectConfig)
  const { problem } = collectSecrets({ env, names: options.secrets })
  if (problem) throw problem
  const { testNamePattern } = globalConfig
  running = await startServer(
    {
      options,
      guardedFiles: configFilesIn([globalConfig.rootDir, projectConfig.rootDir]),
      ...(testNamePattern && { namePattern: testNamePattern }),
      updateMode: updateModeOf(globalConfig, env),
    },
    env,
  )
}

/** After the tests of a run: prints its last lines. */
export async function tearDownRun(): Promise<void> {
  const server = running
  running = undefined
  const lines = (await server?.close()) ?? []
  if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`)
}

function optionsIn({ transform }: ProjectConfig): ResolvedOptions {
  const own = createRequire(import.meta.url).resolve('vitest-mdtest/jest')
  const options = transform.find(([, file]) => file === own)?.[2]
  return resolveOptions(options ?? {})
}

function updateModeOf({ updateSnapshot }: GlobalConfig, env: NodeJS.ProcessEnv): UpdateMode {
  if (updateSnapshot !== 'all') return 'off'
  return isCi(env) ? 'refused' : 'once'
}

const configFiles = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'].map((extension) => `jest.config.${extension}`)

/** Jest does not tell which file it read. */
function configFilesIn(folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) => configFiles.map((name) => join(folder, name)))
  return [...new Set(files)].filter((file) => existsSync(file))
}
