import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface SpawnCounter {
  /** The PATH that counts. */
  readonly path: string
  /** Starts by name since the last call. */
  take(): Promise<Readonly<Record<string, number>>>
}

/**
 * Counts starts of programs by wrappers that come first on a PATH. A round with it takes longer and is not timed.
 * @param dir a temporary folder, in which the wrappers are put
 * @param names programs to count
 */
export async function createSpawnCounter(dir: string, names: readonly string[]): Promise<SpawnCounter> {
  const folder = join(dir, 'counted-bin')
  const record = join(dir, 'spawned.txt')
  await mkdir(folder)
  for (const name of names) {
    const file = join(folder, name)
    // `echo` is built in: one short append, which several processes can do at once.
    await writeFile(file, `#!${find('sh')}\necho ${name} >>'${record}'\nexec '${find(name)}' "$@"\n`)
    await chmod(file, 0o755)
  }
  return {
    path: `${folder}${delimiter}${process.env.PATH}`,
    async take() {
      const text = await readFile(record, 'utf8').catch(() => '')
      await rm(record, { force: true })
      const started = text.split('\n')
      return Object.fromEntries(names.map((name) => [name, started.filter((line) => line === name).length]))
    },
  }
}

function find(name: string): string {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const found = candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false // not there, or not for us
    }
  })
  if (found === undefined) throw new Error(`There is no \`${name}\` on PATH.`)
  return found
}
