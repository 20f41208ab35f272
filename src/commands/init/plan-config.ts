import { memberOf, parseJson } from '../../system/text/parse-json.ts'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { errorCode } from '../../system/error-facts.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { isInside, statsOf } from '../../system/files/paths.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { SetUpError } from '../common/cli.ts'
import { addPlugin, formatImport, formatList, jest, vitest, type Runner } from './add-plugin.ts'

export interface Change {
  readonly file: string
  readonly before?: string
  readonly after: string
}

export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SetUpError(`\`${file}\` cannot be read: ${describeFileError(error)}`)
  }
}

export interface Manifest {
  readonly isThere: boolean
  has(name: string): boolean
  readonly hasJestConfig: boolean
  readonly isModule: boolean
}

export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, 'package.json'), 'utf8').catch(() => undefined)
  const manifest = parseJson(text)
  const dependencies = ['dependencies', 'devDependencies'].map((name) => memberOf(manifest, name))
  return {
    isThere: text !== undefined,
    has: (name) => dependencies.some((each) => memberOf(each, name) !== undefined),
    hasJestConfig: memberOf(manifest, 'jest') !== undefined,
    isModule: memberOf(manifest, 'type') === 'module',
  }
}

export function chooseRunner(dir: string, manifest: Manifest): Runner | undefined {
  // Vitest comes first. A configuration of Vite counts last, because projects with Jest may use Vite, too.
  if (manifest.has('vitest') || findIn(dir, vitestNames) !== undefined) return vitest
  if (manifest.has('jest') || manifest.hasJestConfig || findIn(dir, jestNames) !== undefined) return jest
  return manifest.isThere || findConfig(dir) !== undefined ? vitest : undefined
}

interface ConfigRequest {
  readonly runner: Runner
  readonly manifest: Manifest
  readonly options: string
}

export async function planConfig(dir: string, request: ConfigRequest): Promise<Change | undefined> {
  const { runner, manifest, options } = request
  const isVitest = runner === vitest
  const found = isVitest ? findConfig(dir) : findIn(dir, jestNames)
  if (!isVitest && (manifest.hasJestConfig || found?.endsWith('.json'))) {
    const where = found === undefined ? 'the key `jest` of `package.json`' : `\`${relative(dir, found)}\``
    throw new SetUpError(
      `Jest takes its configuration from ${where} here, and JSON cannot call anything, so nothing was done. Move it into a file \`jest.config.js\` that has these lines, too:\n\n${linesToAdd(request, !manifest.isModule)}`,
    )
  }
  if (found === undefined) return isVitest ? newConfig(dir, request) : newJestConfig(dir, request)
  const name = relative(dir, found)
  if (!isInside(found, dir))
    throw new SetUpError(`Vitest takes its configuration from \`${name}\` here. Begin there: ${initIn(dir, found)}.`)
  const before = (await readIfThere(found)) ?? ''
  const addition = addPlugin(before, runner, options)
  if (addition.kind === 'added') return { file: found, before, after: addition.text }
  if (addition.kind === 'present') return undefined
  if (addition.kind === 'part') {
    const above = findConfig(dirname(dir))
    const where = above === undefined ? '' : `: ${initIn(dir, above)}`
    throw new SetUpError(
      `\`${name}\` configures one project of a workspace, but the plugin belongs in the configuration that lists all projects${where}.`,
    )
  }
  const isRequire = /\bmodule\.exports\b/.test(before) && !/^(?:import|export)\b/m.test(before)
  throw new SetUpError(
    `\`init\` cannot change \`${name}\`: it finds no list of plugins there. Nothing was changed. Add the import at its top, and \`mdtest()\` to the plugins of what it exports, then run \`${ownCommand} init\` again:\n\n${linesToAdd(request, isRequire)}`,
  )
}

/** The new file is an ES module, in TypeScript if there is a `tsconfig.json`. */
function newConfig(dir: string, { manifest, options }: ConfigRequest): Change {
  const hasTypes = statsOf(join(dir, 'tsconfig.json')) !== undefined
  return {
    file: join(dir, `vitest.config.${manifest.isModule ? '' : 'm'}${hasTypes ? 'ts' : 'js'}`),
    after: `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'

export default defineConfig({
  plugins: [mdtest(${options})],
})
`,
  }
}

function newJestConfig(dir: string, { manifest: { isModule }, options }: ConfigRequest): Change {
  const start = isModule ? 'export default' : 'module.exports ='
  const line = formatImport(jest, { isRequire: !isModule })
  const after = `${line}\n\n${start} {\n  ${formatList(jest, `mdtest(${options})`)},\n}\n`
  return { file: join(dir, 'jest.config.js'), after }
}

function linesToAdd({ runner, options }: ConfigRequest, isRequire: boolean): string {
  return `  ${formatImport(runner, { isRequire })}\n\n  ${formatList(runner, `mdtest(${options})`)},`
}

function initIn(dir: string, config: string): string {
  return `\`npx vitest-mdtest init --dir ${relative(dir, dirname(config))}\``
}

const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
const vitestNames = extensions.map((extension) => `vitest.config.${extension}`)
const viteNames = extensions.map((extension) => `vite.config.${extension}`)
const jestNames = [...extensions, 'json'].map((extension) => `jest.config.${extension}`)

/** Path of the configuration that Vitest would use for a folder: the one in the folder, or the nearest above. */
function findConfig(dir: string): string | undefined {
  const above = dirname(dir)
  return findIn(dir, [...vitestNames, ...viteNames]) ?? (above === dir ? undefined : findConfig(above))
}

function findIn(dir: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(dir, name)).find((file) => statsOf(file)?.isFile())
}
