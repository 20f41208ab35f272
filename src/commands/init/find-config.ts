import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
const jestNames = [...extensions, 'json'].map((extension) => `jest.config.${extension}`)
/** In the order in which Vitest looks for them. */
const names = ['vitest.config', 'vite.config'].flatMap((name) => extensions.map((extension) => `${name}.${extension}`))

/** Absolute path of the configuration that Vitest takes for a directory: its own, else that of the nearest one above. */
export async function findConfig(dir: string): Promise<string | undefined> {
  for (const name of names) {
    const file = join(dir, name)
    if (await isFile(file)) return file
  }
  const above = dirname(dir)
  return above === dir ? undefined : findConfig(above)
}

/** Whether a directory itself has a configuration of Vitest; Vite's is there in projects whose tests are Jest's, too. */
export async function hasVitestConfig(dir: string): Promise<boolean> {
  const own = names.filter((name) => name.startsWith('vitest.'))
  const found = await Promise.all(own.map((name) => isFile(join(dir, name))))
  return found.includes(true)
}

/** Absolute path of the file in a directory that configures Jest. */
export async function findJestConfig(dir: string): Promise<string | undefined> {
  const found = await Promise.all(jestNames.map(async (name) => ((await isFile(join(dir, name))) ? name : undefined)))
  const name = found.find((each) => each !== undefined)
  return name && join(dir, name)
}

async function isFile(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() ?? false
}

/** The name for a new configuration: in the language of the project, and always an ES module. */
export async function newConfigName(dir: string, { isModule }: { readonly isModule: boolean }): Promise<string> {
  const hasTypes = await access(join(dir, 'tsconfig.json')).then(
    () => true,
    () => false,
  )
  return `vitest.config.${isModule ? '' : 'm'}${hasTypes ? 'ts' : 'js'}`
}
