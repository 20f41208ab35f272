import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
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
