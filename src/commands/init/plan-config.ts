import { dirname, join, relative } from 'node:path'
import { ownCommand } from '../../system/own-package.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { addPlugin } from './add-plugin.ts'
import { linesToAdd, newConfig, newJestConfig } from './contents.ts'
import type { Manifest } from './read-manifest.ts'
import { jest, vitest, type Runner } from './runners.ts'
import { access, stat, readFile } from 'node:fs/promises'
import { isInside } from '../../system/files/paths.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { errorCode } from '../../system/error-facts.ts'

/** The runner that the specs of a directory are for; none where there is no project of Node.js. */
export async function chooseRunner(dir: string, manifest: Manifest): Promise<Runner | undefined> {
  if (manifest.hasVitest || (await hasVitestConfig(dir))) return vitest
  if (manifest.hasJest || (await findJestConfig(dir)) !== undefined) return jest
  return manifest.isThere || (await findConfig(dir)) !== undefined ? vitest : undefined
}

interface ConfigRequest {
  readonly runner: Runner | undefined
  readonly manifest: Manifest
  /** Options of the plugin, as they are written; empty for none. */
  readonly options: string
}

/**
 * What is to be done to the configuration of the runner.
 * @throws {SetUpError} if it cannot be changed.
 */
export async function planConfig(dir: string, { runner, ...request }: ConfigRequest): Promise<Change | undefined> {
  if (runner === undefined) return undefined
  return runner === jest ? planJest(dir, request) : planVitest(dir, request)
}

type PluginRequest = Omit<ConfigRequest, 'runner'>

async function planVitest(dir: string, { manifest, options }: PluginRequest): Promise<Change | undefined> {
  const found = await findConfig(dir)
  if (found === undefined) return { file: join(dir, await newConfigName(dir, manifest)), after: newConfig(options) }
  const name = relative(dir, found)
  if (!isInside(found, dir)) {
    throw new SetUpError(`Vitest takes its configuration from \`${name}\` here. Begin there: ${initIn(dir, found)}.`)
  }
  return planAddition(found, { dir, runner: vitest, options })
}

async function planJest(dir: string, { manifest, options }: PluginRequest): Promise<Change | undefined> {
  const found = await findJestConfig(dir)
  const isRequire = !manifest.isModule
  if (manifest.isJestConfig || found?.endsWith('.json') === true) {
    const where = found === undefined ? 'the key `jest` of `package.json`' : `\`${relative(dir, found)}\``
    throw new SetUpError(
      `Jest takes its configuration from ${where} here, and JSON cannot call anything, so nothing was done. Move it into a file \`jest.config.js\` that has these lines, too:\n\n${linesToAdd(jest, { isRequire, options })}`,
    )
  }
  if (found === undefined) return { file: join(dir, 'jest.config.js'), after: newJestConfig(manifest, options) }
  return planAddition(found, { dir, runner: jest, options })
}

interface Place extends Pick<ConfigRequest, 'options'> {
  readonly dir: string
  readonly runner: Runner
}

async function planAddition(file: string, { dir, runner, options }: Place): Promise<Change | undefined> {
  const name = relative(dir, file)
  const before = (await readIfThere(file)) ?? ''
  const addition = addPlugin(before, runner, options)
  if (addition.kind === 'added') return { file, before, after: addition.text }
  if (addition.kind === 'present') return undefined
  if (addition.kind === 'part') {
    const above = await findConfig(dirname(dir))
    const where = above === undefined ? '' : `: ${initIn(dir, above)}`
    throw new SetUpError(
      `\`${name}\` configures one project of a workspace, and the plugin belongs into the configuration that names all projects${where}.`,
    )
  }
  const isRequire = /\bmodule\.exports\b/.test(before) && !/^(?:import|export)\b/m.test(before)
  throw new SetUpError(
    `\`init\` cannot change \`${name}\`: a spread, a variable or a call hides what it sets already. Nothing was changed. Add the import at its top and the plugin to what it exports, beside the entries that are hidden there, then run \`${ownCommand} init\` again:\n\n${linesToAdd(runner, { isRequire, options })}`,
  )
}

/** The command for the directory of another configuration. */
function initIn(dir: string, config: string): string {
  return `\`npx vitest-mdtest init --dir ${relative(dir, dirname(config))}\``
}

const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
const jestNames = [...extensions, 'json'].map((extension) => `jest.config.${extension}`)
/** In the order in which Vitest looks for them. */
const names = ['vitest.config', 'vite.config'].flatMap((name) => extensions.map((extension) => `${name}.${extension}`))

/** Absolute path of the configuration that Vitest takes for a directory: its own, else that of the nearest one above. */
async function findConfig(dir: string): Promise<string | undefined> {
  for (const name of names) {
    const file = join(dir, name)
    if (await isFile(file)) return file
  }
  const above = dirname(dir)
  return above === dir ? undefined : findConfig(above)
}

/** Whether a directory itself has a configuration of Vitest; Vite's is there in projects whose tests are Jest's, too. */
async function hasVitestConfig(dir: string): Promise<boolean> {
  const own = names.filter((name) => name.startsWith('vitest.'))
  const found = await Promise.all(own.map((name) => isFile(join(dir, name))))
  return found.includes(true)
}

/** Absolute path of the file in a directory that configures Jest. */
async function findJestConfig(dir: string): Promise<string | undefined> {
  const found = await Promise.all(jestNames.map(async (name) => ((await isFile(join(dir, name))) ? name : undefined)))
  const name = found.find((each) => each !== undefined)
  return name && join(dir, name)
}

async function isFile(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() ?? false
}

/** The name for a new configuration: in the language of the project, and always an ES module. */
async function newConfigName(dir: string, { isModule }: { readonly isModule: boolean }): Promise<string> {
  const hasTypes = await access(join(dir, 'tsconfig.json')).then(
    () => true,
    () => false,
  )
  return `vitest.config.${isModule ? '' : 'm'}${hasTypes ? 'ts' : 'js'}`
}

/** A file as it is and as it is to be. */
export interface Change {
  readonly file: string
  /** Absent where there is no such file. */
  readonly before?: string
  readonly after: string
}

/** The text of a file. @throws {SetUpError} where it is there and cannot be read */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SetUpError(`\`${file}\` cannot be read: ${describeFileError(error)}`)
  }
}
